// Die Wörter der Spiele auf einem rechteckigen Spielplan.

/** @type {typeof import("../../../../render/static/square_texts.js").SQUARES} */
export const SQUARES = {
  misfit: "Der Stein passt dort nicht.",
  nowhere: "Dieser Stein passt nirgends: Wähle einen anderen.",
  tap: "Tippe an, wohin er soll.",
  click: "Wohin soll er? Ein Klick legt ihn, Esc legt ihn zurück.",
  lay: (points) => `Legen +${points}`,
};
