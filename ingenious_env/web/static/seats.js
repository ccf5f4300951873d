// The seats of this browser at tables: one more, and one less; loaded on first use.

import { STORE, keep, keysByTable } from "./api.js";
import { store } from "./stored.js";

/** The keys of the seats at a table. @param {string} id */
export const keysOf = (id) => (keysByTable()[id] || "").split(",").filter(Boolean);

/** Take a seat. @param {string} id of the table @param {string} key of the seat */
export const sit = (id, key) => keep(id, [...new Set([...keysOf(id), key])].join(","));

/** Leave a seat. @param {string} id of the table @param {string} key of the seat */
export const leave = (id, key) =>
  keep(
    id,
    keysOf(id)
      .filter((each) => each !== key)
      .join(","),
  );

/** Leave a table. @param {string} id */
export const forget = (id) =>
  store(STORE, Object.fromEntries(Object.entries(keysByTable()).filter(([name]) => name !== id)));
