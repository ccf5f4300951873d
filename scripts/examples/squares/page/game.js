// Squares at the page: the pictures and names of its tiles.

import { s } from "../../../render/static/dom.js";
import { SquareGame } from "../../../render/static/square_game.js";

/** @import { Laid, SquareLook } from "../../../render/static/types.js" */

export class Game extends SquareGame {
  /** @param {SquareLook & { colours: string[] }} look the constant part of all positions */
  constructor(look) {
    super(look);
    this.look = look;
  }

  /** The name of a colour. @param {string} letter */
  colour(letter) {
    return this.look.colours.find((name) => name[0] === letter) ?? "";
  }

  /** @override @param {string} move @returns {Laid | null} */
  laid(move) {
    const [, letter, square] = move.match(/^([a-z])(\d+)$/) ?? [];
    if (!letter) return null;
    const columns = this.look.size[1];
    return { tile: [letter], row: Math.floor(Number(square) / columns), column: Number(square) % columns };
  }

  /** @override @param {[string]} tile @param {number} row @param {number} column */
  moveOf([letter], row, column) {
    return `${letter}${this.cellOf(row, column)}`;
  }

  /** @override @param {[string]} tile */
  drawn([letter]) {
    return [
      s("rect", { ...this.box(), fill: `var(--${this.colour(letter)})` }),
      s("text", { y: 5, class: "value" }, letter),
    ];
  }

  /** @override @param {[string]} tile */
  tileName([letter]) {
    return this.colour(letter);
  }

  /** @override */
  emblem() {
    return this.tile(["b"]);
  }
}
