// The tables that the browser keeps for this page.

import { store, stored } from "../static/stored.js";
import { Session } from "./session.js";
import { Table } from "./table.js";

/** @import { Kit } from "./session.js" */

const STORE = "ingenious-local";
const MOST = 50; // tables

/** Keep a table. @param {Table} table */
export function save(table) {
  const { id, session, seats, keys, version, takeBacks, hints, hiddenTakeBacks } = table;
  const { about, preset } = session.kit;
  const kept = { game: about.game, preset, ...table.kept, seats, keys, version, takeBacks, hints };
  const others = Object.entries(stored(STORE)).filter(([name]) => name !== id);
  const all = [...others, [id, { ...kept, hiddenTakeBacks: [...hiddenTakeBacks] }]];
  store(STORE, Object.fromEntries(all.slice(-MOST)));
}

/** Delete a table. @param {string} id */
export function remove(id) {
  store(STORE, Object.fromEntries(Object.entries(stored(STORE)).filter(([name]) => name !== id)));
}

/** A table as it was kept. @param {string} id @param {any} kept @param {(game: string, preset: string) => Promise<Kit>} kitOf */
async function reopened(id, kept, kitOf) {
  const kit = await kitOf(kept.game, kept.preset);
  const session = kept.start
    ? await (await import("./positions.js")).opened(kept.start, async () => kit)
    : Session.dealt(kit, BigInt(kept.seed[0]), BigInt(kept.seed[1]));
  for (const action of kept.actions) session.play(action);
  return new Table(id, session, kept.seats, kept.keys);
}

/** The table with an id, if it was kept and can be read. @param {string} id
 * @param {(game: string, preset: string) => Promise<Kit>} kitOf */
export async function load(id, kitOf) {
  const kept = stored(STORE)[id];
  if (!kept) return null;
  const table = kept.real ? await (await import("./real.js")).reopened(id, kept) : await reopened(id, kept, kitOf);
  const { version, takeBacks, hints } = kept;
  return Object.assign(table, { version, takeBacks, hints, hiddenTakeBacks: new Set(kept.hiddenTakeBacks) });
}
