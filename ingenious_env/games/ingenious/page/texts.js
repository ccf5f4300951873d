// The words of Ingenious.

import { DRAWING } from "../../../render/static/drawing_texts.js";

export const INGENIOUS = {
  symbol: (/** @type {string} */ colour) => `${colour}, start symbol`,
  counter: (/** @type {string} */ colour, /** @type {number} */ score, /** @type {number} */ last) =>
    `${colour} ${score} of ${last}`,
  order: "lowest first",
  unseen: "Left in the bag",
  swapped: "swapped all tiles",
  /** by its text in a record @type {Record<string, string>} */
  choices: { swap: "swap", keep: "keep" },
  banner: "Ingenious!",
  full: (/** @type {string[]} */ colours, /** @type {number} */ plays) =>
    `Ingenious! Your ${DRAWING.all(colours)} ${colours.length > 1 ? "are" : "is"} full: play ` +
    `${plays > 1 ? `${plays} tiles more` : "another tile"}.`,
  swap: (/** @type {string[]} */ lowest) =>
    `None of your tiles shows ${DRAWING.any(lowest)}, your lowest. Swap all of them, or keep them.`,
  tap: (/** @type {string} */ tile) => `Tap where the ${tile} tile goes, and the cell beside it.`,
  click: (/** @type {string} */ tile) =>
    `Choose where the ${tile} tile goes. Click to place it, R turns it, F flips it, Esc puts it back.`,
  place: (/** @type {number} */ points) => `Place +${points}`,
  part: (/** @type {number} */ counted, /** @type {number} */ points) => `+${counted} of ${points}`,
  printed: "A start symbol is printed there.",
  narrow: "There is no room for a tile there.",
  first: "In the first round a tile must touch a start symbol that no other tile has touched.",
};
