// The pointer: on the board, and from the rack to there.

import { settings } from "./settings.js";
import { app, mine, play, showProblem, withHand } from "./store.js";

/** @import { Spot } from "../../render/static/types.js" */

/** the latest press: not all browsers tell of a click whether it was by touch @type {any} */
let press = {};
addEventListener("pointerdown", (event) => (press = event), true);

export const isTouched = () => press.pointerType === "touch";

/** Handlers of the board's pointer events. */
export const pointer = {
  /** @param {PointerEvent} event @param {Spot} spot */
  onMove(event, spot) {
    if (!mine() || !app.game.hand || app.game.hand.fixed || event.pointerType === "touch") return;
    withHand(() => app.game.aim(app.table.scene, spot.cell, spot.direction));
  },
  /** @param {any} _event @param {Spot} spot */
  onClick(_event, spot) {
    const { game, table } = app;
    const { hand } = game;
    const { cell, direction } = spot;
    if (!mine() || !hand || cell === null) return;
    if (isTouched()) return withHand(() => game.tap(table.scene, cell));
    if (!hand.fixed || settings.confirm) game.aim(table.scene, cell, direction);
    const move = game.moveText(table.scene);
    if (move && settings.confirm) withHand(() => (hand.fixed = true));
    else if (move) play(move);
    else showProblem(game.whyNot(table.scene, cell));
  },
  /** @param {any} event */
  onWheel(event) {
    if (!mine() || !app.game.hand || !app.game.turn) return;
    event.preventDefault();
    withHand(() => app.game.turn?.(app.table.scene, event.deltaY > 0 ? 1 : -1));
  },
};

/** Drag a tile from the rack, to lay it where the mouse button is released. @param {PointerEvent} event @param {number} slot */
export function drag(event, slot) {
  const { game, table } = app;
  if (
    event.pointerType !== "mouse" ||
    event.buttons !== 1 ||
    press.target?.closest("button")?.id !== `slot${slot}` ||
    !mine()
  )
    return;
  press = {};
  withHand(() => {
    game.drop();
    game.pick(table.scene, slot);
  });
  const release = (/** @type {any} */ end) => {
    const board = end.target.closest(".board");
    if (board) pointer.onClick(end, game.at(board, end));
    else withHand(() => game.drop());
  };
  addEventListener("pointerup", release, { once: true });
}
