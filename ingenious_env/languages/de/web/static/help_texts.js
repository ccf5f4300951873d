// Die Wörter der Einstellungen und Tasten.

/** @type {typeof import("../../../../web/static/help_texts.js").HELP} */
export const HELP = {
  moves: "Bisherige Züge",
  settings: "Einstellungen",
  boxes: {
    confirm: "Ein Klick stellt den Stein nur hin; „Legen“ oder Enter bestätigt",
    warn: "Vor einem groben Fehler nachfragen, einem Zug mit ?? (zählt als Tipp)",
    pace: "Züge der anderen kommen einer nach dem anderen",
    sound: "Töne: bei Steinen, vielen Punkten, Tauschen und am Ende",
    letters: "Tasten mit einem Buchstaben oder einer Ziffer",
    coordinates: "Koordinaten auf leeren Feldern, wie in eingetippten Zügen",
  },
  keys: "Tasten",
  hand: [
    ["1 bis 6", "Stein nehmen oder zurücklegen"],
    ["← →", "mit einem Stein in der Hand: durch alle Felder, auf denen er liegen darf"],
    ["↑ ↓", "dasselbe entlang einer Linie, mit Umschalt entlang der anderen"],
    ["R, Umschalt R", "Stein drehen"],
    ["F", "seine Hälften vertauschen"],
    ["Enter", "Stein legen"],
    ["Esc", "Stein zurücklegen"],
  ],
  choice: (title) => title,
  others: [
    ["Z", "Zug zurücknehmen"],
    ["H", "Tipps"],
    ["N", "zum nächsten schwachen Zug"],
    ["← → Pos1 Ende", "ohne Stein in der Hand: durch die Züge"],
    ["?", "diese Liste"],
  ],
  close: "Schließen",
};
