// Die Wörter, wenn jemand bittet, einen Zug zurückzunehmen.

/** @type {typeof import("../../../../web/static/asked_texts.js").TEXTS} */
export const TEXTS = {
  title: (name) => `${name} möchte zurücknehmen`,
  text: "Wenn du es erlaubst, geht das Spiel auf die letzte Entscheidung dieses Spielers zurück.",
  allow: "Erlauben",
  refuse: "Ablehnen",
  waits: "Du möchtest zurücknehmen; darüber entscheidet jemand anders. Jeder Zug setzt das Spiel fort.",
};
