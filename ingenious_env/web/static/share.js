// Sharing a game, opening a shared one, and continuing a position; loaded on first use.

import { byId, h } from "../../render/static/dom.js";
import { linkTo } from "./address.js";
import { get, pictureOf, post, reasonOf } from "./api.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { openNewGame } from "./new_game.js";
import { app, showProblem } from "./store.js";
import { create } from "./tables.js";

/** Choose the players that continue the position that is shown; with its history, if it has a record. */
export async function openBranch() {
  const { id, total } = app.table;
  const at = app.at ?? total;
  try {
    const query = { keys: app.keys, at };
    const text = await get(`tables/${id}/record`, query).catch(() => get(`tables/${id}/position`, query));
    if (app.table.id === id) await openNewGame({ text, fixed: true });
  } catch (error) {
    showProblem(reasonOf(error));
  }
}

/** Open the text of an address: a game that is over at once, others after the choice of players. @param {string} text */
export async function openText(text) {
  const found = await post("read", { text }).catch(() => null);
  if (found && found.over) await create({ text, seats: Array(found.players).fill("human") });
  else openNewGame({ text });
}

/** Copy a text, or select it where the browser does not allow copying, as without https on other machines.
 * @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = byId("record");
    area.value = text;
    area.select();
  }
}

export async function openShare() {
  const { table } = app;
  const picture = pictureOf(table.id, {
    keys: app.keys,
    theme: document.documentElement.dataset.theme || "dark",
    ...(app.at === null ? {} : { at: String(app.at) }),
  });
  let text = "";
  let problem = "";
  try {
    text = await get(`tables/${table.id}/record`, { keys: app.keys });
  } catch (error) {
    problem = reasonOf(error);
  }
  if (app.table.id !== table.id) return;
  openDialog(
    h("h2", {}, "Share"),
    text
      ? h("textarea", { id: "record", readonly: true, rows: 8, "aria-label": "Record" }, text)
      : h("p", { class: "muted" }, problem),
    h(
      "p",
      { class: "acts" },
      text && h("button", { id: "copy", onclick: () => copy(text) }, "Copy text"),
      text && h("button", { id: "link", onclick: () => copy(linkTo(text)) }, "Copy link"),
      text &&
        h(
          "a",
          {
            class: "button",
            href: URL.createObjectURL(new Blob([text], { type: "text/plain" })),
            download: `${table.game}.txt`,
          },
          "Save text",
        ),
      picture && h("a", { class: "button", href: picture, download: `${table.game}.svg` }, "Save picture"),
      h("button", { id: "close", class: "go", onclick: closeDialog }, "Close"),
    ),
  );
}
