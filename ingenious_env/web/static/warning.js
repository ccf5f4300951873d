// The question before a bad mistake; loaded on first use.

import { h } from "../../render/static/dom.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { app, showProblem, withHand } from "./store.js";

/** @import { Judged } from "./types.js" */

/** Show a better move than one that has not been played: its tile in hand, at its place. @param {string} best */
function showBetter(best) {
  const { game, table } = app;
  closeDialog();
  if (game.laid(best)) withHand(() => game.take(table.scene, best));
  showProblem(`${game.moveName(best)} is better.`);
}

/** Confirm a move that is a bad mistake. @param {Judged} found the judgement @param {() => void} go */
export function openWarning(found, go) {
  openDialog(
    h("h2", {}, `This move loses ${(100 * found.loss).toFixed(0)} %`),
    h("p", {}, `${app.game.moveName(found.move)} ?? The judge would play another one.`),
    h(
      "p",
      { class: "acts" },
      h("button", { id: "anyway", onclick: () => (closeDialog(), go()) }, "Play it"),
      h("button", { id: "show-best", onclick: () => showBetter(found.best) }, "Show the better one"),
      h("button", { id: "close", class: "go", onclick: closeDialog }, "Choose again"),
    ),
  );
}
