// Die Wörter der Stellungen als Text auf einer Seite ohne Server: warum eine abgelehnt wird.

/** @type {typeof import("../../../../web/local/positions_texts.js").POSITIONS} */
export const POSITIONS = {
  lines: (lines) => `Eine Stellung hat diese Zeilen: ${lines}`,
  line: (name) => `Die Zeile „${name}“ dieser Stellung ist nicht lesbar.`,
  impossible: (name) => `Die Zeile „${name}“ dieser Stellung widerspricht den anderen.`,
  noRecord: "Dieses Spiel hat mit einer Stellung begonnen, nicht mit dem Geben, und hat darum keine Aufzeichnung.",
};
