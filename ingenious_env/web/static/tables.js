// New tables.

import { Refused, keep, post } from "./api.js";
import { app, emit, enqueue } from "./store.js";

/** @import { NewTable } from "./types.js" */

/** @param {NewTable} choice the game and its players
 * @param {(reason: string) => void} [refused] shows a refusal, by default if no table can */
export async function create(choice, refused = app.table ? undefined : (reason) => emit("notCreated", reason)) {
  const from = location.hash;
  await enqueue(async () => {
    if (location.hash !== from) return;
    const made = await post("tables", choice).catch((error) => {
      if (!refused || !(error instanceof Refused)) throw error;
      refused(error.message);
    });
    if (!made) return;
    keep(made.id, Object.values(made.keys).join(","));
    if (location.hash === from) location.hash = made.id;
  });
}
