// What is heard and read of a move; loaded with the first one.

import { byId, h } from "../../render/static/dom.js";
import { TEXTS } from "./play_texts.js";
import { settings } from "./settings.js";
import { app, explain } from "./store.js";

/** @import { Table } from "./types.js" */

/** Announce the last move, by text and sound. @param {Table} table */
export function moved(table) {
  announce(table);
  if (settings.sound) import("./sounds.js").then(({ sound }) => sound(table)).catch(explain);
  const banner = app.game.banner?.(table);
  if (banner) celebrate(banner);
}

/** Announce the last move to screen readers. @param {Table} table */
function announce(table) {
  if (!table.last) return;
  const name = table.names[table.last.seat];
  const { gains, move } = table.last;
  const points = gains ? [gains].flat().reduce((sum, gain) => sum + gain, 0) : null;
  byId("live").textContent = `${TEXTS.played(name, textOf(move), points)} ${table.headline}`;
}

/** A move as it is written, or the name of a choice. @param {string} move */
export const textOf = (move) => (app.game.laid(move) ? move : app.game.moveName(move));

/** Show a banner for a moment. @param {string} text */
function celebrate(text) {
  const banner = h("div", { class: "banner", "aria-hidden": "true" }, text);
  byId("left").append(banner);
  setTimeout(() => banner.remove(), 900);
}
