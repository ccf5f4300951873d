// Die Wörter einer Seite ohne Server: warum sie etwas ablehnt.

const OPENED = { record: "Eine Aufzeichnung", position: "Der Text einer Stellung", replay: "Eine Seite des Spiels" };

/** @type {typeof import("../../../../web/local/texts.js").LOCAL} */
export const LOCAL = {
  failed: (error) => `Die Seite hat versagt: ${error instanceof Error ? error.message : error}`,
  elsewhere: "Dieses Spiel ist in einem anderen Tab dieses Browsers offen.",
  nothing: "So etwas gibt es hier nicht.",
  noGame: (game) => `Diese Seite hat das Spiel ${game} nicht.`,
  noRules: (title, rules) => `Diese Seite spielt ${title} nur an ihren eigenen Tischen, nicht nach ${rules}`,
  noRecord: (records, positions, text) =>
    `Eine Aufzeichnung beginnt mit der Zeile ${records.map((each) => `'${each}'`).join(", ")}, eine Stellung mit ` +
    `${positions.map((each) => `'${each}'`).join(" oder ")}, nicht mit '${text}'.`,
  record: "Eine Aufzeichnung hat eine Zeile mit ihrem Spiel, eine mit „rules“, eine mit „seed“ und eine für jeden Zug.",
  seed: (end) => `Startzahlen sind kleiner als ${end}.`,
  seats: (players, given) => `Es müssen ${players} Plätze sein, nicht ${given}.`,
  noSeat: (known, seat) => `Auf einem Platz sitzt ${known}, nicht ${seat}.`,
  noTable: "Dieser Browser hat kein solches Spiel.",
  otherSeat: "Diese Seite hat keinen Platz in diesem Spiel.",
  noNumber: (value) => `„at“ muss eine ganze Zahl sein, nicht ${value}.`,
  noMoves: (at) => `So viele Züge gibt es nicht: ${at}`,
  hidden: (what) => `${OPENED[what]} verrät den Beutel und alle Bänkchen und kommt darum erst am Ende.`,
  notOver: "Tipps zu früheren Zügen gibt es, sobald das Spiel zu Ende ist.",
  over: "Das Spiel ist zu Ende: Es gibt keinen Zug mehr, zu dem ein Tipp passen könnte.",
  notCompared:
    "Ergebnisse des Computers zum Vergleich gibt es nach einem Solospiel, das mit einem vollen Beutel begann.",
  notReal: "Das ist kein echter Tisch.",
  notAsked: "Niemand bittet dich, zurücknehmen zu dürfen.",
  noMove: "Du hast keinen Zug, den du zurücknehmen könntest.",
  others: "Auch andere spielen dieses Spiel, darum lässt es sich nicht löschen.",
  deleted: "Dieses Spiel wurde gelöscht.",
  noAgent: (agent) => `${agent} spielt hier nicht.`,
  agentFailed: (agent, error) => `${agent} hat versagt: ${error}`,
  notLoaded: (name, status) => `${name} lässt sich nicht laden: ${status}`,
};
