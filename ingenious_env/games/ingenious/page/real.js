// Ingenious at real tables without a server: moves that are entered, and positions by the tiles on the board (see
// `position.py`, `consistency.py`, `state.py`).

import { filled } from "../../../render/static/lists.js";
import { BadText } from "../../../web/local/session.js";
import { halvesOf, placementOf, tuple } from "./local.js";

/** @import { Games } from "../../../web/local/games.js" */
/** @import { Position } from "../../../web/local/position.js" */
/** @import { Move, VariantFacts } from "../../../web/local/types.js" */
/** @import { Half } from "./local.js" */

const DIRECTIONS = [
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
];

/** A placement in the game's notation; throws `BadText`. @param {VariantFacts} facts @param {string} typed
 * @returns {Move & { halves: Half[] }} */
export function moveOf(facts, typed) {
  const halves = halvesOf(facts, typed);
  const letter = (/** @type {number} */ colour) => facts.look.colours[colour - 1][1];
  const tile = halves.map(({ colour }) => colour).sort((a, b) => a - b);
  const text = halves.map(({ cell, colour }) => `${letter(colour)}${cell.join(",")}`).join(" ");
  return { text, tile: /** @type {Move["tile"]} */ (tile), halves };
}

/** The tiles on the board at the deal: none. @returns {any[]} */
export const startOf = () => [];

/** No type: all can be held by a seat that has a choice to make. @returns {Set<number>} */
export const barred = () => new Set();

/** By cell, those next to it in each direction, undefined off the board. @param {any} look @returns {(number | undefined)[][]} */
export function neighboursOf({ cells }) {
  const index = new Map(cells.map((/** @type {number[]} */ cell, /** @type {number} */ k) => [String(cell), k]));
  return cells.map((/** @type {number[]} */ [q, r]) => DIRECTIONS.map(([x, y]) => index.get(String([q + x, r + y]))));
}

/** Put tiles on an empty board, at the beginning of a turn; throws `BadText`. @param {Games} game one fresh row
 * @param {(Move & { halves: Half[], type: number })[]} moves @param {number} toPlay @param {Record<string, string>} words */
export function setUp(game, moves, toPlay, words) {
  const { facts } = game.variant;
  const { look, players } = facts;
  const neighbours = neighboursOf(look);
  const [board, unplaced] = [game.field("board"), game.field("unplaced")];
  let touched = 0;
  for (const { halves, type } of moves) {
    const { placement } = placementOf(facts, halves);
    const pair = look.pairs[placement % look.pairs.length];
    const taken = pair.find((/** @type {number} */ cell) => board[cell]);
    if (taken !== undefined) throw new BadText(filled(words["two tiles"], { cell: tuple(look.cells[taken]) }));
    for (const { cell, colour } of halves)
      board[look.cells.findIndex((/** @type {number[]} */ each) => String(each) === String(cell))] = colour;
    unplaced[type] = Number(unplaced[type]) - 1;
    for (const [symbol, [cell]] of look.symbols.entries())
      if (moves.length < players && pair.some((/** @type {number} */ each) => neighbours[cell].includes(each)))
        touched |= 1 << symbol;
  }
  const number = moves.length;
  const turn = number - ((((number - toPlay) % players) + players) % players);
  if (turn < 0) throw new BadText(filled(words["too few"], { number, seat: toPlay }));
  const values = { touched, placed: number, turn, to_play: toPlay };
  for (const [name, value] of Object.entries(values)) game.field(name)[0] = value;
  derive(game);
}

/** Set `points` and `open_pairs` from the board. @param {Games} game */
export function derive(game) {
  const { look } = game.variant.facts;
  const neighbours = neighboursOf(look);
  const [board, points, pairs] = [game.field("board"), game.field("points"), game.field("open_pairs")];
  const bits = new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength).fill(0);
  for (const [k, [low, high]] of look.pairs.entries()) if (!board[low] && !board[high]) bits[k >> 3] |= 1 << (k & 7);
  for (const [colour] of look.colours.entries())
    for (const [cell] of neighbours.entries())
      points[colour * neighbours.length + cell] = board[cell] ? 0 : run(board, neighbours, cell, colour + 1);
}

/** The consecutive cells of a colour in all directions from a cell (RULES.md 4.1). @param {ArrayLike<number | bigint>} board
 * @param {(number | undefined)[][]} neighbours @param {number} from @param {number} colour */
function run(board, neighbours, from, colour) {
  let points = 0;
  for (const direction of DIRECTIONS.keys())
    for (let cell = neighbours[from][direction]; cell !== undefined && board[cell] === colour; points++)
      cell = neighbours[cell][direction];
  return points;
}

/** Why a position by the tiles on the board is impossible; "" if it is not. @param {Position} position
 * @param {Record<string, string>} words */
export function problem(position, words) {
  const { look, local, players } = position.facts;
  const last = local.stops.length - 1;
  const isFull = position.scores().some((sheet) => sheet.every((score) => score === last));
  const isOpen = position.field("open_pairs").some(Boolean);
  if (position.isOver !== (!isOpen || isFull)) return words.over;
  const symbols = look.symbols.map((/** @type {number[]} */ [cell]) => cell);
  const [board, touched] = [position.field("board"), position.number("touched")];
  const near = neighboursOf(look);
  const isLaid = (/** @type {number | undefined} */ cell) =>
    cell !== undefined && board[cell] && !symbols.includes(cell);
  const missing = symbols.findIndex(
    (/** @type {number} */ cell, /** @type {number} */ k) => near[cell].some(isLaid) && !((touched >> k) & 1),
  );
  return missing >= 0 && position.number("turn") < players ? filled(words.touched, { symbol: missing }) : "";
}
