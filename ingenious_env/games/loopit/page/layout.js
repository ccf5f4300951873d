// Tiles that are laid on the board of Loopit without a game, in any order.

import { s } from "../../../render/static/dom.js";

/** @import { Laid } from "../../../render/static/types.js" */
/** @import { Game } from "./game.js" */
/** @import { Scene, Tile } from "./types.js" */

/** The scene of some tiles on the board, and of others in hand, which may lie on any free square.
 * @param {Game} game @param {Laid[]} laid @param {Tile[]} rack */
export function sceneOf(game, laid, rack) {
  const [rows, columns] = game.look.size;
  const taken = new Set(laid.flatMap((each) => cellsOf(game, each)));
  const free = Array.from({ length: rows * columns }, (_, cell) => cell).filter((cell) => !taken.has(cell));
  const legal = rack.flatMap((_, slot) => free.map((cell) => [slot, Math.floor(cell / columns), cell % columns, 0]));
  const tiles = laid.map(({ tile, row, column }) => [row, column, ...tile]);
  return /** @type {Scene} */ (/** @type {unknown} */ ({ tiles, laid_order: [], rack, legal }));
}

/** The tile of a move. @param {Laid} laid @returns {Tile} */
export const tileOf = ({ tile }) => tile;

/** The square that the tile of a move covers; none if it is not on the board. @param {Game} game @param {Laid} laid */
export function cellsOf(game, { row, column }) {
  const [rows, columns] = game.look.size;
  return row < rows && column < columns ? [game.cellOf(row, column)] : [];
}

/** The picture of the tile in hand at its place. @param {Game} game @param {Scene} scene */
export function ghost(game, scene) {
  if (!game.hand || !game.hand.square) return null;
  const [row, column] = game.hand.square;
  const outline = s("rect", { ...game.box(), class: "ghost" });
  return s("g", { transform: game.moved(row, column) }, game.drawn(scene.rack[game.hand.slot]), outline);
}
