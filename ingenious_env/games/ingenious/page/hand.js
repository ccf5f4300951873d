// The tile in hand in Ingenious: its legal places, its current place, and its points there.

import { DRAWING } from "../../../render/static/drawing_texts.js";
import { INGENIOUS } from "./texts.js";

/** @import { Hand, Half, Look, Scene } from "./types.js" */

export class Preview {
  /** @param {Look} look the constant part (see the server's `board_look`) */
  constructor(look) {
    this.look = look;
    /** @type {Map<string, number>} */
    this.index = new Map(look.cells.map((cell, number) => [String(cell), number]));
    /** @type {Map<string, number>} */
    this.pairs = new Map(look.pairs.map((pair, number) => [String(pair), number]));
    /** @type {Map<number, number>} */
    this.symbols = new Map(look.symbols);
    this.neighbours = look.cells.map(([q, r]) =>
      look.directions.map(([dq, dr]) => this.index.get(String([q + dq, r + dr])) ?? -1),
    );
    /** @type {Hand | null} */
    this.hand = null;
  }

  // The tile in hand.

  /** @param {Scene} scene @param {number} slot */
  pick(scene, slot) {
    const again = this.hand && this.hand.slot === slot;
    this.hand =
      again || slot >= scene.rack.length ? null : { slot, flipped: false, cell: null, direction: 0, fixed: false };
  }

  /** The halves of a move in the game's notation; null if it lays none. @param {string} move
   * @returns {Half[] | null} */
  laid(move) {
    const halves = [...move.matchAll(/([a-z])(-?\d+,-?\d+)/g)].map(([, letter, cell]) => ({
      cell: /** @type {number} */ (this.index.get(cell)),
      colour: this.look.colours.findIndex((each) => each[1] === letter) + 1,
    }));
    return halves.length ? halves : null;
  }

  /** Pick the tile of a move, and put it at its place. @param {Scene} scene @param {string} move */
  take(scene, move) {
    const [near, far] = /** @type {any[]} */ (this.laid(move));
    const tile = String([near.colour, far.colour].sort());
    const slot = scene.rack.findIndex((each) => String(each) === tile);
    this.hand = {
      slot,
      flipped: scene.rack[slot][0] !== near.colour,
      cell: near.cell,
      direction: this.neighbours[near.cell].indexOf(far.cell),
      fixed: true,
    };
  }

  drop() {
    this.hand = null;
  }

  /** @param {Scene} scene @param {number} cell @param {number} direction */
  isOpen(scene, cell, direction) {
    const other = this.neighbours[cell][direction];
    if (other < 0) return false;
    const pair = this.pairs.get(String(cell < other ? [cell, other] : [other, cell]));
    return pair !== undefined && this.openPairs(scene).has(pair);
  }

  /** @param {Scene} scene @returns {Set<number>} */
  openPairs(scene) {
    if (scene.openSet === undefined) {
      const pairs = this.look.pairs.length;
      scene.openSet = new Set((scene.open || []).map((number) => number % pairs));
    }
    return scene.openSet;
  }

  /** The directions in which a tile may lie from a cell, clockwise from a given one.
   * @param {Scene} scene @param {number} cell @param {number} [from] */
  directionsOf(scene, cell, from = 0) {
    return [0, 1, 2, 3, 4, 5].map((k) => (from + k) % 6).filter((d) => this.isOpen(scene, cell, d));
  }

  /** Put the near half on a cell, the far one as close to a direction as is legal; once the tile was turned, to its own.
   * @param {Scene} scene @param {number | null} cell @param {number} [direction] */
  aim(scene, cell, direction = this.hand?.direction ?? 0) {
    if (!this.hand) return;
    const wanted = this.hand.turned ? this.hand.direction : direction;
    const ways = cell === null ? [] : this.directionsOf(scene, cell, wanted);
    this.hand.cell = ways.length ? cell : null;
    if (ways.length) this.hand.direction = ways[0];
  }

  /** A tap: the near half goes to a cell, or the far one to an adjacent cell. @param {Scene} scene @param {number} cell */
  tap(scene, cell) {
    if (!this.hand) return;
    this.hand.fixed = true;
    const direction = this.hand.cell === null ? -1 : this.neighbours[this.hand.cell].indexOf(cell);
    if (direction >= 0 && this.isOpen(scene, /** @type {number} */ (this.hand.cell), direction))
      this.hand.direction = direction;
    else if (cell === this.hand.cell) this.turn(scene, 1);
    else this.aim(scene, cell);
  }

  /** Move the near half by an arrow key to a cell where it may lie: left and right through all of them, row by row; up
   * and down in a line, up right and down left, or with Shift up left and down right.
   * @param {Scene} scene @param {string} name @param {boolean} shift */
  step(scene, name, shift) {
    if (!this.hand) return;
    this.hand.fixed = true;
    const cells = this.neighbours.length;
    const may = (/** @type {number} */ cell) => this.directionsOf(scene, cell).length > 0;
    let cell = this.hand.cell ?? this.index.get("0,0") ?? 0;
    if (this.hand.cell === null && may(cell)) return this.aim(scene, cell);
    if (name === "left" || name === "right") {
      const by = name === "right" ? 1 : cells - 1;
      for (let tried = 0; tried < cells; tried++) {
        cell = (cell + by) % cells;
        if (may(cell)) return this.aim(scene, cell);
      }
    }
    const direction = name === "up" ? (shift ? 4 : 5) : shift ? 1 : 2;
    while (cell >= 0) {
      cell = this.neighbours[cell][direction];
      if (cell >= 0 && may(cell)) return this.aim(scene, cell);
    }
  }

  /** Why no tile can lie on a cell. @param {Scene} scene @param {number} cell */
  whyNot(scene, cell) {
    if (this.symbols.has(cell)) return INGENIOUS.printed;
    if (Number(scene.board[cell])) return DRAWING.taken;
    const isNarrow = this.neighbours[cell].every((other) => other < 0 || Number(scene.board[other]));
    return isNarrow ? INGENIOUS.narrow : INGENIOUS.first;
  }

  /** @param {Scene} scene @param {number} by steps, clockwise */
  turn(scene, by) {
    if (!this.hand || this.hand.cell === null) return;
    const ways = this.directionsOf(scene, this.hand.cell);
    const at = ways.indexOf(this.hand.direction);
    this.hand.turned = true;
    this.hand.direction = ways[(at + by + ways.length) % ways.length];
  }

  flip() {
    if (this.hand) this.hand.flipped = !this.hand.flipped;
  }

  /** The halves of the tile in hand where it is now: cell and colour. @param {Scene} scene */
  halves(scene) {
    if (!this.hand || this.hand.cell === null) return null;
    const tile = scene.rack[this.hand.slot];
    const [near, far] = this.hand.flipped ? [tile[1], tile[0]] : tile;
    const other = this.neighbours[this.hand.cell][this.hand.direction];
    return [
      { cell: this.hand.cell, colour: near },
      { cell: other, colour: far },
    ];
  }

  /** The cells that half a tile scores, by line. @param {Half} half
   * @param {Scene} scene @returns {number[][]} */
  lines(scene, half) {
    const lines = [0, 1, 2, 3, 4, 5].map((direction) => {
      const line = [];
      for (
        let at = this.neighbours[half.cell][direction];
        at >= 0 && Number(scene.board[at]) === half.colour;
        at = this.neighbours[at][direction]
      )
        line.push(at);
      return line;
    });
    return lines.filter((line) => line.length);
  }

  /** The move in the game's notation. @param {Scene} scene */
  moveText(scene) {
    const halves = this.halves(scene);
    return (
      halves &&
      halves.map(({ cell, colour }) => `${this.look.colours[colour - 1][1]}${this.look.cells[cell]}`).join(" ")
    );
  }

  /** The points of the tile in hand by colour, as far as counters can move. @param {Scene} scene @param {number} sheet */
  gains(scene, sheet) {
    const gains = this.look.colours.map(() => 0);
    for (const { cell, colour } of this.halves(scene) || []) gains[colour - 1] += scene.points[colour - 1][cell];
    return gains.map((gain, k) => Math.min(gain, scene.room[sheet][k]));
  }

  /** The points of each half, and the part of them by which counters can move. @param {Scene} scene @param {number} sheet */
  chips(scene, sheet) {
    const room = [...scene.room[sheet]];
    return (this.halves(scene) || []).map(({ cell, colour }) => {
      const gain = scene.points[colour - 1][cell];
      const counted = Math.min(gain, room[colour - 1]);
      room[colour - 1] -= counted;
      return { cell, text: counted < gain ? INGENIOUS.part(counted, gain) : `+${gain}` };
    });
  }
}
