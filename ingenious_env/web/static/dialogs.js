// Dialogs: one at a time; those that need no requests.

import { byId, h, put } from "../../render/static/dom.js";
import { openRules } from "./rules.js";
import { settingBoxes } from "./settings.js";
import { app, showProblem, withHand } from "./store.js";
import { TEXTS } from "./texts.js";

/** @import { Judged } from "./types.js" */

/** @param {...any} content */
export function openDialog(...content) {
  const dialog = byId("dialog");
  put(dialog, ...content);
  dialog.oncancel = stay;
  if (!dialog.open) dialog.showModal();
}

export const closeDialog = () => byId("dialog").close();

export const isOpen = () => byId("dialog").open;

/** After a cancelled choice of a game: restore the address of the table that is shown. */
export function stay() {
  if (app.table && location.hash !== `#${app.table.id}`) history.replaceState(null, "", `#${app.table.id}`);
}

const HAND_KEYS = [
  ["1 to 6", "take a tile, or put it back"],
  ["← →", "with a tile in hand, through all cells where it may lie"],
  ["↑ ↓", "the same along a line, with Shift along the other one"],
  ["R, Shift R", "turn it"],
  ["F", "swap its halves"],
  ["Enter", "place it"],
  ["Esc", "put it back"],
];
const OTHER_KEYS = [
  ["Z", "take back"],
  ["H", "hints"],
  ["N", "the next weak move"],
  ["← → Home End", "without a tile in hand, through the moves"],
  ["?", "this list"],
];

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

/** The keys of the page, and those of the named choices of the game. */
function keys() {
  const choices = Object.values(app.about.choices).map(({ title, key }) => [key.toUpperCase(), title.toLowerCase()]);
  return [...HAND_KEYS, ...choices, ...OTHER_KEYS];
}

/** A button that opens the rules of the game. @param {string} id */
export const rulesButton = (id) =>
  h(
    "button",
    { id, onclick: () => openRules(openDialog, app.table.game, app.about.title, closeDialog) },
    TEXTS.rules.button,
  );

export function openHelp() {
  openDialog(
    app.table && TEXTS.lessons[app.table.game] && h("p", { class: "acts" }, rulesButton("help-rules")),
    h("h2", {}, "Settings"),
    settingBoxes(),
    h("h2", {}, "Keys"),
    h(
      "table",
      { class: "keys" },
      keys().map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what))),
    ),
    h("p", { class: "acts" }, h("button", { id: "close", class: "go", onclick: closeDialog }, "Close")),
  );
}
