// What a worker does for a page: parts of searches, the rankings of agents, their results alone, and the luck of the draw.

import { resultOf } from "./alone.js";
import { luckOf } from "./luck.js";
import { bestFirst, completed } from "./rankings.js";
import { simulated } from "./rollouts.js";

/** @import { Desk } from "./position.js" */
/** @import { GameFacts, QuickFacts, Ranking, SearchFacts } from "./types.js" */

/** A preset of which jobs are done. @typedef {{ about: GameFacts, desk: Desk }} Tools */

export const jobs = {
  /** The actions that a search tries, and the bytes of its root. @param {Tools} tools
   * @param {{ search: SearchFacts, row: Uint8Array }} given */
  begin({ desk }, { search, row }) {
    const game = completed(desk.game, row, BigInt(search.seed));
    const root = game.rows.values.slice();
    const { slots, placements, choices } = game.variant.facts.actions;
    if (game.number("phase") === search.choose)
      return { root, candidates: search.choices.map((name) => slots * placements + choices.indexOf(name)) };
    const { actions, values } = game.rankActions(false);
    const ranked = bestFirst([...actions.values], [...values.values], "");
    return { root, candidates: ranked.actions.slice(0, search.candidates) };
  },

  /** Sums with the results of simulations added (see `rollouts.js`). @param {Tools} tools
   * @param {{ search: SearchFacts, root: Uint8Array, candidates: number[], first: number, last: number,
   *   sums: Float64Array }} given */
  simulate: ({ desk, about }, given) => simulated(desk, given.search, about.over, given),

  /** The actions of a position by the ranking of an agent. @param {Tools} tools
   * @param {{ ranking: Ranking, row: Uint8Array }} given */
  rank({ desk }, { ranking, row }) {
    const { actions, values } = completed(desk.game, row).ranked(ranking);
    return bestFirst([...actions.values], [...values.values], ranking.unit);
  },

  /** The result of an agent in a solitaire game (see `alone.js`). @param {Tools} tools
   * @param {{ seed: bigint[], policy: QuickFacts }} given */
  alone: ({ about, desk }, { seed, policy }) => resultOf(desk, about, seed, policy),

  /** The luck of the draw in a game (see `luck.js`). @param {Tools} tools
   * @param {{ seed: bigint[], actions: number[] }} given */
  luck: ({ about, desk }, { seed, actions }) => luckOf(desk, about, seed, actions),
};
