// New tables.

import { Refused, keep, post } from "./api.js";
import { app, emit, enqueue } from "./store.js";

/** @import { NewTable } from "./types.js" */

/** @param {NewTable} choice the game and its players @param {"assign" | "replace"} [go] whether Back leads here */
export async function create(choice, go = "assign") {
  const from = location.hash;
  await enqueue(async () => {
    if (location.hash !== from) return;
    const made = await post("tables", choice).catch((error) => {
      if (app.table || !(error instanceof Refused)) throw error;
      emit("notCreated", error.message); // there is no table yet to show it
    });
    if (!made) return;
    keep(made.id, Object.values(made.keys).join(","));
    if (location.hash === from) location[go](`#${made.id}`);
  });
}
