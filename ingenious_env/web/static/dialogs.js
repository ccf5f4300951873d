// Dialogs: one at a time.

import { byId, h, put } from "../../render/static/dom.js";
import { app, explain } from "./store.js";
import { TEXTS } from "./texts.js";

/** @param {...any} content */
export function openDialog(...content) {
  const dialog = byId("dialog");
  put(dialog, ...content);
  dialog.oncancel = stay;
  if (!dialog.open) dialog.showModal();
}

export const closeDialog = () => byId("dialog").close();

export const isOpen = () => byId("dialog").open;

/** Whether the dialog shows this: an answer may come after it was closed. @param {Element} content */
export const isShown = (content) => isOpen() && content.isConnected;

/** After a cancelled choice of a game: restore the address at which the table was opened that is shown. */
export function stay() {
  if (app.table && location.hash !== app.address) history.replaceState(null, "", app.address);
}

/** Open the rules of a game, loaded on first use. @param {string} game @param {string} title its name
 * @param {number[]} sheets of the table, by seat @param {() => void} [close] what their last button does */
export const openRules = (game, title, sheets, close = closeDialog) =>
  import("./rules.js").then((rules) => rules.openRules(openDialog, game, title, sheets, close)).catch(explain);

/** A button that opens the rules of the game. @param {string} id */
export const rulesButton = (id) =>
  h("button", { id, onclick: () => openRules(app.table.game, app.about.title, app.game.look.sheets) }, TEXTS.rules);
