// Die Wörter von Einfach Genial.

import { DRAWING } from "../../../render/static/drawing_texts.js";

/** @type {typeof import("../../../../../games/ingenious/page/texts.js").INGENIOUS} */
export const INGENIOUS = {
  symbol: (colour) => `${colour}, Startsymbol`,
  counter: (colour, score, last) => `${colour} ${score} von ${last}`,
  order: "niedrigste zuerst",
  unseen: "Noch im Beutel",
  swapped: "hat alle Steine getauscht",
  choices: { swap: "tauschen", keep: "behalten" },
  banner: "Genial!",
  full: (colours, plays) =>
    `Genial! ${DRAWING.all(colours)} ${colours.length > 1 ? "sind" : "ist"} voll: Lege noch ` +
    `${plays > 1 ? `${plays} Steine` : "einen Stein"}.`,
  swap: (lowest) =>
    `Keiner deiner Steine zeigt ${DRAWING.any(lowest)}, ` +
    `deine ${lowest.length > 1 ? "niedrigsten Farben" : "niedrigste Farbe"}. Tausche alle, oder behalte sie.`,
  tap: (tile) => `Tippe an, wohin der Stein ${tile} soll, und das Feld daneben.`,
  click: (tile) =>
    `Wohin soll der Stein ${tile}? Ein Klick legt ihn, R dreht ihn, F vertauscht seine Hälften, Esc legt ihn zurück.`,
  place: (points) => `Legen +${points}`,
  part: (counted, points) => `+${counted} von ${points}`,
  printed: "Dort ist ein Startsymbol aufgedruckt.",
  narrow: "Dort ist kein Platz für einen Stein.",
  first: "In der ersten Runde muss ein Stein an ein Startsymbol grenzen, an das noch kein anderer grenzt.",
};
