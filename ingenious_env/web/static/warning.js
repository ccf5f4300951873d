// The question before a bad mistake; loaded on first use.

import { h } from "../../render/static/dom.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { TEXTS } from "./play_texts.js";
import { app, showProblem, withHand } from "./store.js";
import { amountText } from "./worth.js";

/** @import { Judged } from "./types.js" */

const WORDS = TEXTS.warning;

/** Show a better move than one that has not been played: its tile in hand, at its place. @param {string} best */
function showBetter(best) {
  const { game, table } = app;
  closeDialog();
  if (game.laid(best)) withHand(() => game.take(table.scene, best));
  showProblem(WORDS.better(game.moveName(best)));
}

/** Confirm a move that is a bad mistake. @param {Judged} found the judgement @param {() => void} go */
export function openWarning(found, go) {
  openDialog(
    h("h2", {}, WORDS.title(amountText(found.unit, found.loss))),
    h("p", {}, WORDS.text(app.game.moveName(found.move))),
    h(
      "p",
      { class: "acts" },
      h("button", { id: "anyway", onclick: () => (closeDialog(), go()) }, WORDS.play),
      h("button", { id: "show-best", onclick: () => showBetter(found.best) }, WORDS.show),
      h("button", { id: "close", class: "go", onclick: closeDialog }, WORDS.again),
    ),
  );
}
