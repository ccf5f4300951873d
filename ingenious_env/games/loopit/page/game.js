// Loopit at the page: its tiles and squares, and what is said.

import { s } from "../../../render/static/dom.js";
import { DRAWING } from "../../../render/static/drawing_texts.js";
import { SquareGame } from "../../../render/static/square_game.js";
import { LOOPIT } from "./texts.js";

/** @import { Laid } from "../../../render/static/types.js" */
/** @import { Look, Table, Tile } from "./types.js" */

/** @type {Record<string, number>} */
const BITS = { N: 1, E: 2, S: 4, W: 8 };

export class Game extends SquareGame {
  high = 30; // few tiles score as much

  /** @param {Look} look the constant part of all positions (see the server's `board_look`) */
  constructor(look) {
    super(look);
    this.look = look;
  }

  /** @override @param {string} move @returns {Laid | null} */
  laid(move) {
    const found = move.match(/^([NESW]+)(\d+)@(\d+),(\d+)$/);
    return found && { tile: [found[1], Number(found[2])], row: Number(found[3]), column: Number(found[4]) };
  }

  /** @override @param {Tile} tile @param {number} row @param {number} column */
  moveOf([ends, value], row, column) {
    return `${ends}${value}@${row},${column}`;
  }

  /** The colour of a factor. @param {number} factor */
  ground(factor) {
    return `var(--factor${Math.min(factor, 7)})`;
  }

  /** @override @param {number} row @param {number} column */
  square(row, column) {
    const factor = this.look.factors[row][column];
    const [startRow, startColumn] = this.look.start;
    return [
      s(
        "rect",
        factor > 1 ? { ...this.box(), class: "ground", fill: this.ground(factor) } : { ...this.box(), class: "square" },
      ),
      row === startRow && column === startColumn && s("circle", { r: 14, class: "start" }),
      factor > 1 && s("text", { y: 6, class: "factor" }, `${factor}×`),
    ];
  }

  /** @override @param {number} row @param {number} column */
  squareName(row, column) {
    const factor = this.look.factors[row][column];
    return factor > 1 ? LOOPIT.empty(factor) : DRAWING.empty;
  }

  /** @override @param {Tile} tile @param {number} [row] @param {number} [column] */
  drawn([ends, value], row, column) {
    const factor = row === undefined || column === undefined ? 1 : this.look.factors[row][column];
    const bits = [...ends].reduce((sum, end) => sum + BITS[end], 0);
    return [
      s(
        "rect",
        factor > 1 ? { ...this.box(), class: "rim", stroke: this.ground(factor) } : { ...this.box(), class: "body" },
      ),
      s("use", { href: `#lines${bits}` }),
      s("text", { y: 5.3, class: "value" }, String(value)),
    ];
  }

  /** @override @param {Tile} tile */
  tileName([ends, value]) {
    return `${value}, ${[...ends].map((end) => LOOPIT.ends[end]).join(" ")}`;
  }

  /** @override @param {string} choice */
  choiceName(choice) {
    return LOOPIT.choices[choice];
  }

  /** @override */
  emblem() {
    return this.tile(["NE", 5]);
  }

  /** @override */
  misfit() {
    return LOOPIT.misfit;
  }

  /** @override @param {Table} table */
  say(table) {
    const { stuck, left, laid, choices } = table.scene;
    if (stuck) return LOOPIT.stuck;
    if (this.hand) return super.say(table);
    return LOOPIT.turn(Number(left), laid > 0, Boolean(choices?.includes("stop")));
  }
}
