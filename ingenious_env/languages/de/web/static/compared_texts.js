// Die Wörter des Vergleichs mit dem Computer.

/** @type {typeof import("../../../../web/static/compared_texts.js").TEXTS} */
export const TEXTS = {
  title: "Beutel des Tages",
  results: "Ergebnisse mit dem Beutel des Tages",
  playing: "Der Computer spielt ihn auch …",
};
