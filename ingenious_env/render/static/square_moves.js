// The tile in hand of games whose tiles take one square each of a rectangular board, and where it may lie.

/** @import { Laid, Place, SquareHand, SquareLook, SquareScene, Way } from "./types.js" */

/** @abstract */
export class SquareMoves {
  /** @param {SquareLook} look the constant part of all positions */
  constructor(look) {
    this.look = look;
    /** @type {SquareHand | null} */
    this.hand = null;
  }

  /** The tile that a move in the game's notation lays, and its square; null if it lays none.
   * @abstract @param {string} _move @returns {Laid | null} */
  laid(_move) {
    return null;
  }

  /** @param {SquareScene} scene @param {number} slot */
  pick(scene, slot) {
    const again = this.hand && this.hand.slot === slot;
    this.hand = again || slot >= scene.rack.length ? null : { slot, square: null, fixed: false };
  }

  /** Take the tile of a move, and aim at its square. @param {SquareScene} scene @param {string} move */
  take(scene, move) {
    const { tile, row, column } = /** @type {Laid} */ (this.laid(move));
    this.hand = { slot: scene.rack.findIndex((each) => String(each) === String(tile)), square: null, fixed: true };
    this.aim(scene, this.cellOf(row, column));
  }

  drop() {
    this.hand = null;
  }

  /** The slot that stands for one on the rack: of equal tiles the first. @param {SquareScene} scene @param {number} slot */
  first(scene, slot) {
    return scene.rack.findIndex((tile) => String(tile) === String(scene.rack[slot]));
  }

  /** The squares where the tile in hand may lie. @param {SquareScene} scene @returns {Place[]} */
  places(scene) {
    if (!this.hand) return [];
    const slot = this.first(scene, this.hand.slot);
    return (scene.legal || [])
      .filter((each) => each[0] === slot)
      .map(([, row, column, points]) => [row, column, points]);
  }

  /** @param {SquareScene} scene @param {number | null} cell */
  aim(scene, cell) {
    if (!this.hand) return;
    const found = cell === null ? null : this.places(scene).find(([row, column]) => this.cellOf(row, column) === cell);
    this.hand.square = found || null;
  }

  /** @param {SquareScene} scene @param {number} cell */
  tap(scene, cell) {
    if (!this.hand) return;
    this.hand.fixed = true;
    this.aim(scene, cell);
  }

  /** Move to the next square in a direction where the tile may lie. @param {SquareScene} scene @param {Way} name */
  step(scene, name) {
    if (!this.hand) return;
    this.hand.fixed = true;
    const places = this.places(scene);
    if (!places.length) return;
    const from = this.hand.square;
    if (!from) return void (this.hand.square = places[0]);
    /** @type {Record<Way, [0 | 1, number]>} */
    const ways = { left: [1, -1], right: [1, 1], up: [0, -1], down: [0, 1] };
    const [axis, sign] = ways[name];
    const ahead = (/** @type {Place} */ square) => {
      const steps = sign * (square[axis] - from[axis]);
      return steps > 0 ? steps + 3 * Math.abs(square[1 - axis] - from[1 - axis]) : Infinity;
    };
    const best = [...places].sort((one, other) => ahead(one) - ahead(other))[0];
    if (ahead(best) < Infinity) this.hand.square = best;
  }

  /** The move in the game's notation. @param {SquareScene} scene */
  moveText(scene) {
    if (!this.hand || !this.hand.square) return null;
    const [row, column] = this.hand.square;
    return this.moveOf(scene.rack[this.hand.slot], row, column);
  }

  /** The notation of a move. @abstract @param {any} tile @param {number} row @param {number} column */
  moveOf(tile, row, column) {
    return `${tile}@${row},${column}`;
  }

  /** @param {number} row @param {number} column */
  cellOf(row, column) {
    return row * this.look.size[1] + column;
  }
}
