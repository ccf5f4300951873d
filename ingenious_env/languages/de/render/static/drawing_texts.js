// Die Wörter der Zeichnungen aller Spiele.

/** @param {string[]} names @param {string} joint vor dem letzten */
const listed = (names, joint) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} ${joint} ${names[names.length - 1]}` : names[0] || "";

/** @type {typeof import("../../../../render/static/drawing_texts.js").DRAWING} */
export const DRAWING = {
  first: "Erster Zug",
  previous: "Ein Zug zurück",
  next: "Ein Zug weiter",
  last: "Letzter Zug",
  slider: "Zug",
  move: (at) => `Zug ${at}`,
  watch: "Abspielen",
  rack: (count) => (count === 1 ? "1 Stein" : `${count} Steine`),
  bag: (count) => `${count === 1 ? "1 Stein" : `${count} Steine`} im Beutel`,
  showed: "zeigte ",
  shown: "beim Tauschen gezeigt",
  played: "legte ",
  board: (count) => `Spielplan mit ${count === 1 ? "einem Stein" : `${count} Steinen`}`,
  own: "du bist am Zug",
  turn: "am Zug",
  partner: "dein Partner",
  beside: (names) => `mit ${names}`,
  empty: "leer",
  taken: "Dort liegt schon ein Stein.",
  choose: "Du bist am Zug: Wähle einen Stein.",
  place: (rank, isShared) => `${rank}. Platz${isShared ? ", geteilt" : ""}`,
  all: (names) => listed(names, "und"),
  any: (names) => listed(names, "oder"),
};
