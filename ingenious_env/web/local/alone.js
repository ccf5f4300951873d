// What an agent reaches in a solitaire game, from the deal on: the counterpart of `web/alone.py`.

import { choose } from "./agents.js";
import { NO_ACTION } from "./games.js";
import { Position } from "./position.js";
import { completed } from "./rankings.js";

/** @import { Desk } from "./position.js" */
/** @import { GameFacts, QuickFacts } from "./types.js" */

/** The result of an agent: its lowest counter. @param {Desk} desk @param {GameFacts} about @param {bigint[]} seed of the
 * deal, and the index under it @param {QuickFacts} policy */
export function resultOf(desk, about, [seed, index], policy) {
  desk.game.seed(seed, index);
  const at = (/** @type {Uint8Array} */ row) => new Position(desk, about, row);
  let position = at(desk.game.rows.values.slice());
  while (!position.isOver) position = at(position.after(chosen(policy, position)));
  return position.lowest;
}

/** The action that a policy chooses: of those whose values are nearly equal the lowest one, as `SteadyValue` of
 * `web/alone.py`. @param {QuickFacts} policy @param {Position} position */
export function chosen(policy, position) {
  const { about, facts } = position;
  if (policy.kind !== "value" || policy.temperature || !facts.value) return choose(policy, position);
  const ranked = completed(position.desk.game, position.row).rankActions(false);
  const actions = [...ranked.actions.values].filter((action) => action !== NO_ACTION);
  const values = [...ranked.values.values].slice(0, actions.length);
  const least = Math.max(...values) - about.compared.near * facts.value.highest;
  return Math.min(...actions.filter((_, k) => values[k] > least));
}
