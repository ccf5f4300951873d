// The rooms of this page's tables, and the tables that this tab has got hold of.

import { kitOf } from "./kits.js";
import { Refusal } from "./refusal.js";
import { Room } from "./room.js";
import { load, save } from "./tables.js";
import { LOCAL } from "./texts.js";

/** @import { Table } from "./table.js" */

/** The tables that this tab may change: two tabs with one table would undo each other's moves.
 * @type {Map<string, Room>} */
const rooms = new Map();
/** whether this tab has got hold of a table, by its id @type {Map<string, Promise<boolean>>} */
const holds = new Map();
const LEAVING = 2000; // milliseconds that another tab has to leave a table, as by a reload

/** Get hold of a table until the page is left; whether no other tab has it. @param {string} id @returns {Promise<boolean>} */
const hold = (id) =>
  new Promise((resolve) => {
    if (!navigator.locks) return resolve(true); // as without https on other machines
    const held = () => (resolve(true), new Promise(() => {}));
    navigator.locks
      .request(`ingenious-${id}`, { signal: AbortSignal.timeout(LEAVING) }, held)
      .catch(() => resolve(false));
  });

/** The room of a table, or one for reading the table that the browser keeps. @param {string} id */
export async function roomOf(id) {
  const kept = rooms.get(id) || (await load(id, kitOf));
  if (!kept) throw new Refusal(404, LOCAL.noTable);
  return kept instanceof Room ? kept : new Room(kept, save);
}

/** The room of a table that is to be changed; refused while another tab has the table. @param {string} id */
export async function heldRoom(id) {
  const held = holds.get(id) || hold(id);
  holds.set(id, held);
  if (!(await held)) {
    holds.delete(id);
    throw new Refusal(409, LOCAL.elsewhere);
  }
  const room = await roomOf(id);
  if (!rooms.has(id)) rooms.set(id, room);
  return /** @type {Room} */ (rooms.get(id));
}

/** The room of a new table. @param {Table} table */
export function newRoom(table) {
  const room = new Room(table, save);
  save(table);
  rooms.set(table.id, room);
  holds.set(table.id, hold(table.id));
  return room;
}

/** Forget the room of a table that is deleted. @param {string} id */
export const leave = (id) => rooms.delete(id);
