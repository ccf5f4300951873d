// Loopit at real tables without a server: moves that are entered, and positions by the tiles on the board (see
// `position.py`, `tree.py`, `consistency.py`, `state.py`).

import { filled } from "../../../render/static/lists.js";
import { BadText } from "../../../web/local/session.js";
import { cellOf, laidBy, tuple } from "./local.js";

/** @import { Games } from "../../../web/local/games.js" */
/** @import { Position } from "../../../web/local/position.js" */
/** @import { Move, VariantFacts } from "../../../web/local/types.js" */

const STEPS = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];
const BEHIND = 2; // where the bit of a direction is flipped in the opposite one

/** A placement in the game's notation; throws `BadText`. @param {VariantFacts} facts @param {string} typed
 * @returns {Move & { square: number[] }} */
export function moveOf(facts, typed) {
  const { tile, square } = laidBy(facts, typed);
  return { text: `${tile.join("")}@${square}`, tile: /** @type {Move["tile"]} */ (tile), square };
}

/** The tiles on the board at the deal. @param {VariantFacts} facts @param {number[]} types of the tile on the start square */
export const startOf = ({ look }, [type]) => [{ square: look.start, type }];

/** The line ends of each type as bits, and the index of each among the sets of ends that there are.
 * @param {VariantFacts} facts */
function patternsOf({ tiles, local }) {
  const ends = tiles.map(([text]) =>
    [...local.ends].reduce((bits, end, k) => bits | (Number(String(text).includes(end)) << k), 0),
  );
  const patterns = [...new Set(ends)].sort((a, b) => a - b);
  return { ends, patterns, ofType: ends.map((bits) => patterns.indexOf(bits)) };
}

/** The square next to another one, undefined off the board. @param {number[]} size of the board @param {number} cell
 * @param {number} direction */
function beyond([rows, columns], cell, direction) {
  const [row, column] = [Math.floor(cell / columns) + STEPS[direction][0], (cell % columns) + STEPS[direction][1]];
  return row < 0 || column < 0 || row >= rows || column >= columns ? undefined : row * columns + column;
}

/** The types that fit somewhere: a seat that may throw its rack back holds none of them. @param {Position} position
 * @returns {Set<number>} */
export function barred(position) {
  const { patterns, ofType } = patternsOf(position.facts);
  const fits = position.game.field("fits");
  const words = fits.length / patterns.length;
  const isOpen = patterns.map((_, k) => fits.slice(k * words, (k + 1) * words).some(Boolean));
  return new Set(ofType.flatMap((pattern, type) => (isOpen[pattern] ? [type] : [])));
}

/** Put tiles on an empty board, in the earliest turn of the seat to move that allows so many; throws `BadText`.
 * @param {Games} game one fresh row @param {(Move & { square: number[], type: number })[]} moves @param {number} toPlay
 * @param {Record<string, string>} words */
export function setUp(game, moves, toPlay, words) {
  const { facts } = game.variant;
  const { players, local } = facts;
  const [board, unplaced] = [game.field("board"), game.field("unplaced")];
  for (const { square, type } of moves) {
    const cell = cellOf(facts, square);
    if (board[cell]) throw new BadText(filled(words["two tiles"], { square: tuple(square) }));
    board[cell] = 1 + type;
    unplaced[type] = Number(unplaced[type]) - 1;
  }
  const fewest = Math.ceil(Math.max(0, moves.length - 1) / local.a_turn);
  const turn = fewest + ((((toPlay - fewest) % players) + players) % players);
  const values = { placed: moves.length, turn, to_play: toPlay };
  for (const [name, value] of Object.entries(values)) game.field(name)[0] = value;
  derive(game);
}

/** Set `fits`, `needs`, `ends`, `values` and `left` from the board. @param {Games} game */
export function derive(game) {
  const { facts } = game.variant;
  const { size } = facts.look;
  const { ends, patterns, ofType } = patternsOf(facts);
  const [board, joints, values] = ["board", "ends", "values"].map((name) => game.field(name));
  const [needs, left, unplaced] = ["needs", "left", "unplaced"].map((name) => game.field(name));
  const fits = game.field("fits");
  const bits = new Uint8Array(fits.buffer, fits.byteOffset, fits.byteLength);
  for (const part of [joints, values, needs, left, bits]) part.fill(/** @type {never} */ (0));
  const cells = size[0] * size[1];
  for (let cell = 0; cell < cells; cell++) {
    if (!board[cell]) continue;
    const type = Number(board[cell]) - 1;
    values[cell] = facts.tiles[type][1];
    STEPS.forEach((_, k) => (joints[k * cells + cell] = (ends[type] >> k) & 1));
  }
  for (let cell = 0; cell < cells; cell++) {
    if (board[cell]) continue;
    let need = 0;
    for (const k of STEPS.keys()) {
      const other = beyond(size, cell, k);
      const isJoined = other !== undefined && joints[(k ^ BEHIND) * cells + other];
      if (other === undefined || board[other]) need |= isJoined ? 1 << k : 16 << k;
    }
    needs[cell] = need;
    const [wanted, open] = [need & 15, need >> 4];
    for (const [k, pattern] of patterns.entries())
      if (wanted && (pattern & wanted) === wanted && !(pattern & open))
        bits[(k * bits.length) / patterns.length + (cell >> 3)] |= 1 << (cell & 7);
  }
  ofType.forEach((pattern, type) => (left[pattern] = Number(left[pattern]) + Number(unplaced[type])));
}

/** Why a position by the tiles on the board is impossible; "" if it is not. @param {Position} position
 * @param {Record<string, string>} words */
export function problem(position, words) {
  const { look } = position.facts;
  const { ends } = patternsOf(position.facts);
  const board = position.field("board").slice(0, -1);
  const named = (/** @type {number} */ cell) => tuple([Math.floor(cell / look.size[1]), cell % look.size[1]]);
  const start = look.start[0] * look.size[1] + look.start[1];
  if (!board[start]) return filled(words["no start"], { start: named(start) });
  const reached = [start];
  const waiting = [start];
  while (waiting.length) {
    const cell = /** @type {number} */ (waiting.pop());
    for (const k of STEPS.keys()) {
      const other = beyond(look.size, cell, k);
      const hasEnd = (ends[board[cell] - 1] >> k) & 1;
      if (other === undefined && hasEnd && cell !== start) return filled(words.edge, { square: named(cell) });
      if (other === undefined || !board[other]) continue;
      if (hasEnd !== ((ends[board[other] - 1] >> (k ^ BEHIND)) & 1))
        return filled(words["no match"], { square: named(cell), other: named(other) });
      if (hasEnd && !reached.includes(other)) {
        reached.push(other);
        waiting.push(other);
      }
    }
  }
  const apart = board.findIndex((tile, cell) => tile && !reached.includes(cell));
  if (apart >= 0) return filled(words.apart, { square: named(apart) });
  return position.number("placed") === 1 && position.scores().flat().some(Boolean) ? words.scored : "";
}
