// The list of the moves so far; loaded on first use.

import { h } from "../../render/static/dom.js";
import { get } from "./api.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { textOf } from "./moved.js";
import { TEXTS } from "./moves_texts.js";
import { app, explain, show } from "./store.js";

const AT_ONCE = 8; // requests

/** @import { Table } from "./types.js" */

/** The states after each move, as this page may see them. @returns {Promise<Table[]>} */
async function states() {
  const [{ id, total }, { keys }] = [app.table, app];
  const found = [];
  for (let first = 1; first <= total; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, total + 1 - first) }, (_, number) => first + number);
    found.push(...(await Promise.all(numbers.map((at) => get(`tables/${id}`, { keys, at })))));
  }
  return found;
}

/** A line of the list, which leads to the position after its move. @param {Table} table */
function line({ at, last, names }) {
  const points = [last?.gains || []].flat(2).reduce((sum, gain) => sum + gain, 0);
  const go = () => (closeDialog(), show(at).catch(explain));
  const text = `${names[last?.seat ?? 0]}: ${textOf(last?.move ?? "")}${TEXTS.gain(points)}`;
  return h("li", {}, h("button", { id: `move${at}`, onclick: go }, text));
}

/** Open the list. */
export async function openMoves() {
  const { id } = app.table;
  const found = await states();
  if (app.table.id !== id) return;
  openDialog(
    h("h2", {}, TEXTS.title),
    found.length ? h("ol", { id: "moves" }, found.map(line)) : h("p", { class: "muted" }, TEXTS.none),
    h("p", { class: "acts" }, h("button", { id: "close", class: "go", onclick: closeDialog }, TEXTS.close)),
  );
}
