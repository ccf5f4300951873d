// Positions of Ingenious as text, without a server (see `notation.py`, `consistency.py`).

import { parts } from "../../../render/static/lists.js";
import { neighboursOf } from "./real.js";

/** @import { Position } from "../../../web/local/position.js" */
/** @import { VariantFacts } from "../../../web/local/types.js" */

export { derive, problem } from "./real.js";

/** The highest score that is read: all that its field holds. */
export const HIGHEST_SCORE = 127;

const PLACE = 0;
const CHOOSE = 1;

/** The letters of cells: empty, then each colour. @param {VariantFacts} facts */
const lettersOf = ({ look }) => `.${look.colours.map((/** @type {string[]} */ each) => each[1]).join("")}`;

/** The numbers of cells in each row of the board. @param {VariantFacts} facts @returns {number[][]} */
function rowsOf({ look }) {
  const rows = new Map();
  for (const [cell, [, r]] of look.cells.entries()) rows.set(r, [...(rows.get(r) || []), cell]);
  return [...rows.values()];
}

/** @param {VariantFacts} facts @param {number[]} board */
export const boardText = (facts, board) =>
  rowsOf(facts)
    .map((row) => row.map((cell) => lettersOf(facts)[board[cell]]).join(""))
    .map((row) => row.replace(/\.+/g, (run) => String(run.length)))
    .join("/");

/** The colours of cells; null if a text is not a board. @param {VariantFacts} facts @param {string} text */
export function boardOf(facts, text) {
  const letters = lettersOf(facts);
  const rows = rowsOf(facts);
  const texts = text.split("/").map((row) => row.replace(/[1-9]\d?/g, (run) => ".".repeat(Number(run))));
  const isWhole = rows.length === texts.length && rows.every((row, k) => texts[k].length === row.length);
  const isKnown = !text.includes(".") && [...texts.join("")].every((letter) => letters.includes(letter));
  return isWhole && isKnown ? [...texts.join("")].map((letter) => letters.indexOf(letter)) : null;
}

/** The line of a position that contradicts the others; "" if there is none (see `consistency.py`). @param {Position} position
 * @param {[string, number][]} tiles the text and the number of each type */
export function impossible(position, tiles) {
  const { facts, about } = position;
  const { look, local, players, actions } = facts;
  const number = (/** @type {string} */ name) => position.number(name);
  const board = position.field("board").slice(0, -1);
  const symbols = new Map(look.symbols);
  for (const [cell, colour] of symbols) if (board[cell] !== colour) return "board";
  const unplaced = position.field("unplaced");
  const halves = tiles.flatMap(([, count], type) =>
    Array(count - unplaced[type])
      .fill(facts.tiles[type])
      .flat(),
  );
  const laid = board.filter((colour, cell) => colour && !symbols.has(cell));
  if (String(halves.sort()) !== String(laid.sort())) return "board";
  const mover = number("to_play");
  if (mover >= players) return "turn";
  const racks = parts(position.field("racks"), actions.slots);
  const isShort = (/** @type {number[]} */ rack) => position.bag > 0 && rack.includes(about.no_tile);
  const waits = (/** @type {number} */ seat) => seat !== mover || !number("placed");
  if (racks.some((rack, seat) => !isSorted(rack) || (waits(seat) && isShort(rack)))) return "racks";
  const last = local.stops.length - 1;
  const scores = position.scores();
  const full = scores.findIndex((sheet) => sheet.every((score) => score === last));
  if (scores.flat().some((score) => score > last) || (full >= 0 && full !== position.sheetOf(mover))) return "scores";
  const [phase, plays, turn, held] = ["phase", "plays_left", "turn", "held"].map(number);
  const rack = position.rackTypes()[mover];
  if (mover !== turn % players || number("placed") < turn + Number(phase === CHOOSE)) return "turn";
  if ((phase === PLACE) !== plays > 0 || plays > 1 + 2 * look.colours.length) return "turn";
  if (phase === PLACE && !rack.length) return "racks";
  const repeats = held > 1 && rack[held - 1] === rack[held - 2];
  if (held && (phase !== PLACE || held > rack.length || repeats)) return "turn";
  const near = neighboursOf(look);
  const isTouched = (/** @type {number} */ cell) => near[cell].some((each) => each !== undefined && isLaid(each));
  const isLaid = (/** @type {number} */ cell) => board[cell] > 0 && !symbols.has(cell);
  const touched = number("touched");
  if ([...symbols.keys()].some((cell, k) => (touched >> k) & 1 && !isTouched(cell))) return "turn";
  const shown = parts(position.field("shown"), tiles.length);
  const since = position.field("drawn_since");
  if (!number("swaps") && (shown.flat().some(Boolean) || since.some(Boolean))) return "shown";
  const isWrong = (/** @type {number[]} */ counts) =>
    counts.reduce((sum, count) => sum + count, 0) > actions.slots || counts.some((count, k) => count > unplaced[k]);
  if (shown.some(isWrong)) return "shown";
  return phase === CHOOSE && !maySwap(position, rack) ? "turn" : "";
}

/** Whether a rack has no tile with a lowest colour (RULES.md 6.1, 6.3). @param {Position} position @param {number[]} rack */
function maySwap(position, rack) {
  const { facts, toPlay, bag } = position;
  if (facts.players < 2 || bag < facts.actions.slots || !rack.length) return false;
  const sheet = position.scores()[position.sheetOf(toPlay)];
  const lowest = sheet.flatMap((score, colour) => (score === Math.min(...sheet) ? [colour + 1] : []));
  return !rack.some((type) => facts.tiles[type].some((colour) => lowest.includes(Number(colour))));
}

/** @param {number[]} numbers */
const isSorted = (numbers) => numbers.every((each, k) => !k || numbers[k - 1] <= each);
