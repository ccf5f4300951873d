// Tiles that are laid on the board of Ingenious without a game, in any order.

/** @import { Game } from "./game.js" */
/** @import { Half, Scene, Tile } from "./types.js" */

/** The scene of some tiles on the board, and of others in hand, which may lie on any two free cells.
 * @param {Game} game @param {Half[][]} laid @param {Tile[]} rack */
export function sceneOf({ look }, laid, rack) {
  const board = look.cells.map(() => 0);
  for (const { cell, colour } of laid.flat()) board[cell] = colour;
  const open = look.pairs.flatMap((pair, number) => (pair.some((cell) => board[cell]) ? [] : [number]));
  const tiles = laid.map((halves) => halves.map(({ cell }) => cell));
  return /** @type {Scene} */ (/** @type {unknown} */ ({ board: board.join(""), tiles, rack, open }));
}

/** The tile of a move. @param {Half[]} laid @returns {Tile} */
export const tileOf = (laid) => /** @type {Tile} */ (laid.map(({ colour }) => colour).sort((a, b) => a - b));

/** The cells that the tile of a move covers; none if one of them is not on the board. @param {Game} _game @param {Half[]} laid */
export function cellsOf(_game, laid) {
  const cells = laid.map(({ cell }) => cell);
  return cells.length === 2 && !cells.includes(/** @type {any} */ (undefined)) ? cells : [];
}

/** The picture of the tile in hand at its place. @param {Game} game @param {Scene} scene */
export function ghost(game, scene) {
  const halves = game.halves(scene);
  return halves && game.ghost(halves);
}
