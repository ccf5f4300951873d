// What agents reach in the deal of a solitaire game that is over: the counterpart of `web/alone.py`.

import { ask } from "./background.js";

/** @import { Table } from "./table.js" */
/** @import { QuickFacts } from "./types.js" */

/** the results of the agents in the deal of each table, made once @type {WeakMap<Table, Promise<number[]>>} */
const known = new WeakMap();

/** Whether there is a comparison: with a solitaire game that is over and began with a known deal. @param {Table} table */
export const isCompared = (table) => table.isOver && table.players === 1 && table.session.seed !== null;

/** The own result, and that of each agent; of none for want of a worker. @param {Table} table one of which `isCompared` */
export async function compared(table) {
  const { about, session } = table;
  const { agents } = session.now.facts.look;
  const names = about.compared.agents.filter((name) => agents.includes(name));
  const policies = names.map((name) => /** @type {QuickFacts} */ (about.policies[name]));
  const { kit } = session;
  const seed = /** @type {bigint[]} */ (session.seed);
  const played = known.get(table) || Promise.all(policies.map((policy) => ask("alone", kit, { seed, policy })));
  known.set(table, played);
  const results = await played.catch(() => (known.delete(table), null));
  const found = results ? names.map((name, k) => ({ name: table.agentName(name), result: results[k] })) : [];
  return { result: session.now.lowest, agents: found };
}
