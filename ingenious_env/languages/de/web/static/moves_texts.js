// Die Wörter der Liste der Züge.

/** @type {typeof import("../../../../web/static/moves_texts.js").TEXTS} */
export const TEXTS = {
  title: "Bisherige Züge",
  none: "Es gibt noch keine.",
  gain: (points) => (points ? ` +${points}` : ""),
  close: "Schließen",
};
