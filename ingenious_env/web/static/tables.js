// New tables.

import { Refused, get, keep, post } from "./api.js";
import { app, emit, enqueue } from "./store.js";

/** @import { NewTable } from "./types.js" */

/** @param {NewTable} choice the game and its players */
export async function create(choice) {
  const from = location.hash;
  await enqueue(async () => {
    if (location.hash !== from) return;
    const made = await post("tables", choice).catch((error) => {
      if (app.table || !(error instanceof Refused)) throw error;
      emit("notCreated", error.message); // there is no table yet to show it
    });
    if (!made) return;
    keep(made.id, Object.values(made.keys).join(","));
    if (location.hash === from) location.hash = made.id;
  });
}

/** The text of a position of a game that is over: with its history, if it has a record.
 * @param {{ id: string, keys: string, at: number }} position after a number of moves */
export const textAt = ({ id, ...query }) =>
  get(`tables/${id}/record`, query).catch(() => get(`tables/${id}/position`, query));
