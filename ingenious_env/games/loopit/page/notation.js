// Positions of Loopit as text, without a server (see `notation.py`, `consistency.py`).

import { parts } from "../../../render/static/lists.js";
import { barred } from "./real.js";

/** @import { Position } from "../../../web/local/position.js" */
/** @import { VariantFacts } from "../../../web/local/types.js" */

export { derive, problem } from "./real.js";

/** The highest score that is read: as `MAX_SCORE` of `material.py`. */
export const HIGHEST_SCORE = 12_799;

const PLACE = 0;
const CHOOSE = 1;

/** The rows of the board, the tile of each square as text. @param {VariantFacts} facts @param {number[]} board */
export const boardText = ({ look, tiles }, board) =>
  parts(board.slice(0, -1), look.size[1])
    .map((row) => row.map((tile) => (tile ? `,${tiles[tile - 1].join("")},` : ".")).join(""))
    .map((row) =>
      row
        .replace(/\.+/g, (run) => `,${run.length},`)
        .replace(/,+/g, ",")
        .replace(/^,|,$/g, ""),
    )
    .join("/");

/** One more than the type of the tile on each square, 0 for none; null if a text is not a board. @param {VariantFacts} facts
 * @param {string} text */
export function boardOf({ look, tiles }, text) {
  const types = new Map(tiles.map((tile, type) => [tile.join(""), type + 1]));
  const rows = text
    .split("/")
    .map((row) =>
      row.split(",").flatMap((part) => (/^[1-9]\d?$/.test(part) ? Array(Number(part)).fill(0) : [types.get(part)])),
    );
  const isWhole = rows.length === look.size[0] && rows.every((row) => row.length === look.size[1]);
  return isWhole && !rows.flat().includes(undefined) ? rows.flat() : null;
}

/** The line of a position that contradicts the others; "" if there is none (see `consistency.py`). @param {Position} position
 * @param {[string, number][]} tiles the text and the number of each type */
export function impossible(position, tiles) {
  const { facts, about } = position;
  const { players, actions, local } = facts;
  const number = (/** @type {string} */ name) => position.number(name);
  const mover = number("to_play");
  if (mover >= players) return "turn";
  if (position.field("out").some((type) => type !== about.no_tile)) return "out"; // no preset puts tiles out
  const board = position.field("board").slice(0, -1);
  const unplaced = position.field("unplaced");
  const isMissing = (/** @type {number} */ count, /** @type {number} */ type) =>
    board.filter((tile) => tile === type + 1).length !== count - unplaced[type];
  if (tiles.some(([, count], type) => isMissing(count, type))) return "board";
  const [phase, turn, laid, held] = ["phase", "turn", "laid", "held"].map(number);
  const racks = parts(position.field("racks"), actions.slots);
  const sizes = position.rackTypes().map((rack) => rack.length);
  const due = (/** @type {number} */ seat) => Math.max(0, actions.slots - (seat === mover ? laid : 0));
  if (racks.some((rack) => !isSorted(rack))) return "racks";
  if (position.bag && sizes.some((size, seat) => size !== due(seat))) return "racks";
  const rack = position.rackTypes()[mover];
  position.game.run("find_phases");
  const found = Number(position.desk.game.field("phase")[0]);
  if (position.isOver !== (found === about.over && !laid) || (!position.isOver && mover !== turn % players))
    return "turn";
  if (phase === PLACE && found !== PLACE) return "turn";
  if (phase === CHOOSE && (found === PLACE || !rack.length || laid)) return "turn";
  if (laid >= local.a_turn || (laid && phase !== PLACE)) return "turn";
  const placed = number("placed");
  if (placed < 1 + laid || placed > 1 + laid + local.a_turn * turn) return "turn";
  const isUsable = held <= rack.length && barred(position).has(rack[held - 1]) && rack[held - 1] !== rack[held - 2];
  return held && (phase !== PLACE || !isUsable) ? "turn" : "";
}

/** @param {number[]} numbers */
const isSorted = (numbers) => numbers.every((each, k) => !k || numbers[k - 1] <= each);
