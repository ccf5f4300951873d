// The rooms of this page's tables, and the tables that this tab has got hold of.

import { kitOf } from "./kits.js";
import { Refusal } from "./refusal.js";
import { Room } from "./room.js";
import { load, save } from "./tables.js";
import { LOCAL } from "./texts.js";

/** @import { Handlers } from "./room.js" */
/** @import { Table } from "./table.js" */

/** The tables that this tab may change: two tabs with one table would undo each other's moves.
 * @type {Map<string, Room>} */
const rooms = new Map();
/** whether this tab has got hold of a table, and what lets go of it, by its id
 * @type {Map<string, { held: Promise<boolean>, release: () => void }>} */
const holds = new Map();
/** what listens to a table, also while another tab has it, by its id @type {Map<string, Set<Handlers>>} */
const listeners = new Map();
const LEAVING = 2000; // milliseconds that another tab has to leave a table, as by a reload

/** Get hold of a table until it or the page is left; whether no other tab has it. @param {string} id */
function hold(id) {
  let release = () => {};
  const left = new Promise((resolve) => (release = () => resolve(null)));
  const held = /** @type {Promise<boolean>} */ (
    new Promise((resolve) => {
      if (!navigator.locks) return resolve(true); // as without https on other machines
      navigator.locks
        .request(`ingenious-${id}`, { signal: AbortSignal.timeout(LEAVING) }, () => (resolve(true), left))
        .catch(() => resolve(false));
    })
  );
  holds.set(id, { held, release });
  return held;
}

/** What listens to a table. @param {string} id */
export function listenersOf(id) {
  const found = listeners.get(id) || new Set();
  listeners.set(id, found);
  return found;
}

/** A room of a table, with all that listens to the table. @param {Table} table */
const made = (table) => new Room(table, save, listenersOf(table.id));

/** The room of a table, or one for reading the table that the browser keeps. @param {string} id */
export async function roomOf(id) {
  const kept = rooms.get(id) || (await load(id, kitOf));
  if (!kept) throw new Refusal(404, LOCAL.noTable);
  return kept instanceof Room ? kept : made(kept);
}

/** The room of a table that is to be changed; refused while another tab has the table. @param {string} id */
export async function heldRoom(id) {
  if (!(await (holds.get(id)?.held || hold(id)))) {
    holds.delete(id);
    throw new Refusal(409, LOCAL.elsewhere);
  }
  const room = await roomOf(id);
  if (rooms.has(id) || !holds.has(id)) return rooms.get(id) || room; // or the table was left meanwhile
  rooms.set(id, room);
  if (room.listeners.size) room.resume(); // after a reload, an agent may have to move
  return room;
}

/** The room of a new table. @param {Table} table */
export function newRoom(table) {
  const room = made(table);
  save(table);
  rooms.set(table.id, room);
  hold(table.id);
  return room;
}

/** Let go of a table that is deleted, or no longer shown. @param {string} id */
export function leave(id) {
  rooms.get(id)?.end();
  rooms.delete(id);
  holds.get(id)?.release();
  holds.delete(id);
}

/** Let go of all tables but the one that is shown. @param {string} id */
export const leaveOthers = (id) => [...holds.keys()].filter((each) => each !== id).forEach(leave);
