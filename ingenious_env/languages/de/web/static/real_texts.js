// Die Wörter der Spiele an einem echten Tisch, neben denen in `texts.js`.

const stones = (/** @type {number} */ number) => (number === 1 ? "Welchen Stein" : `Welche ${number} Steine`);

/** @type {typeof import("../../../../web/static/real_texts.js").WORDS} */
export const WORDS = {
  title: "Am echten Tisch",
  about: "Du gibst ein, was am Tisch geschieht, und bekommst Tipps für deine eigenen Züge.",
  game: "Spiel",
  table: "Tisch",
  seat: "Mein Platz",
  seatOf: (number, count, note) => `${number} von ${count}${number === 1 ? ", beginnt" : ""}${note && ` (${note})`}`,
  rack: (number) => (number === 1 ? "Mein Stein" : `Meine ${number} Steine`),
  start: "Der Stein auf dem Startfeld",
  drew: (number) => `${stones(number)} hast du gezogen?`,
  showed: (name, number) => `${stones(number)} hat ${name} gezeigt?`,
  chosen: (number, count) => `${number} von ${count} gewählt`,
  remove: (tile) => `${tile} zurücklegen`,
  left: (tile, count) => `${tile}, noch ${count}`,
  begun: {
    title: "Das Spiel läuft schon",
    about: {
      ingenious:
        "Lege die Steine auf den Spielplan: Wähle einen darunter; ein Klick auf den Spielplan legt ihn, ein zweiter nimmt " +
        "ihn weg. Oder tippe sie ein, je Zeile einen Stein: für jede Hälfte der Buchstabe der Farbe (r rot, g grün, " +
        "b blau, o orange, y gelb, p lila) und das Feld. Zählsteine in der Reihenfolge ihrer Leisten.",
      loopit:
        "Lege die Steine auf den Spielplan, auch den auf dem Startfeld: Wähle einen darunter; ein Klick auf den " +
        "Spielplan legt ihn, ein zweiter nimmt ihn weg. Oder tippe sie ein, je Zeile einen Stein mit seinem Feld.",
    },
    example: { ingenious: "r1,-5 p2,-5", loopit: "NS4@6,6" },
    placed: "Steine",
    lay: "Hinlegen",
    scores: { ingenious: "Zählsteine", loopit: "Punkte" },
    of: (what, seats) => `${what}, Platz ${seats.join(" und ")}`,
    turn: "Am Zug",
  },
  cancel: "Abbrechen",
  enter: "Eingeben",
  begin: "Anfangen",
};
