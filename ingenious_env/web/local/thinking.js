// The choices and the advice of all agents: those that search do so in the worker, so that the page does not wait.

import { advise, choose } from "./agents.js";
import { Search, halve, listed } from "./halving.js";
import { ask } from "./background.js";

/** @import { Stop } from "./halving.js" */
/** @import { Position } from "./position.js" */
/** @import { Advice } from "./rankings.js" */
/** @import { Kit } from "./session.js" */
/** @import { PolicyFacts, SearchFacts } from "./types.js" */

/** A search for the seat to move. @param {SearchFacts} search @param {Kit} kit @param {Position} position */
async function begun(search, kit, { row }) {
  const { root, candidates } = await ask("begin", kit, { search, row });
  /** @type {import("./halving.js").Simulate} */
  const simulate = (tried, first, last, sums) =>
    ask("simulate", kit, { search, root, candidates: tried, first, last, sums });
  return new Search(candidates, simulate, search.look_every);
}

/** The action of a policy for the seat to move. @param {PolicyFacts} policy @param {Kit} kit @param {Position} position
 * @param {Stop} stop ends a search early, with what it has found */
export async function decide(policy, kit, position, stop) {
  if (policy.kind === "ranked") return (await ranked(policy.name, kit, position)).actions[0];
  if (policy.kind !== "search") return choose(policy, position);
  const search = await begun(policy, kit, position);
  return search.candidates[await halve(search, policy.rollouts, stop)];
}

/** The values that a policy has for the actions of the seat to move; arguments as of `decide`.
 * @param {PolicyFacts} policy @param {Kit} kit @param {Position} position @param {Stop} stop @returns {Promise<Advice>} */
export async function advice(policy, kit, position, stop) {
  if (policy.kind === "ranked") return ranked(policy.name, kit, position);
  if (policy.kind !== "search") return advise(policy, position);
  const search = await begun(policy, kit, position);
  const best = await halve(search, policy.rollouts, stop);
  return { ...(await listed(search, best, policy.rollouts, stop)), unit: position.facts.value?.unit ?? "" };
}

/** @param {string} name of a policy @param {Kit} kit @param {Position} position */
const ranked = (name, kit, { row, facts }) => ask("rank", kit, { ranking: facts.rankings[name], row });
