// Rollouts by the value network, several at once: the counterpart of `value/kernels/value_search.py` of the package with
// all agents.

import { Games, NO_ACTION } from "./games.js";

/** @import { Block } from "./engine.js" */
/** @import { Desk } from "./position.js" */
/** @import { SearchFacts } from "./types.js" */

/** Games of rollouts. */
class Trials {
  /** @param {Desk} desk @param {SearchFacts} search */
  constructor({ variant }, search) {
    const { engine } = variant;
    /** the deals of some simulations; the last row is the root */
    this.deals = new Games(variant, search.look_every + 1);
    this.dealt = engine.array("u8", this.deals.size);
    /** for each simulation, the candidates one after the other */
    this.games = new Games(variant, search.look_every * Math.max(search.candidates, search.choices.length));
    this.words = engine.array("u8", this.games.size);
    this.outcomes = engine.array("f8", this.games.size);
  }
}

/** the games of each desk, which searches with one setting @type {WeakMap<Desk, Trials>} */
const allTrials = new WeakMap();

/** Results of actions, summed up: for each action the sum of results, of their squares, and their number.
 * @param {Desk} desk @param {SearchFacts} search @param {number} over the phase of a game that is over
 * @param {{ root: Uint8Array, candidates: number[], first: number, last: number, sums: Float64Array }} given the root, with
 * hidden tiles dealt; the actions; the first simulation and the one before which it ends; the sums before */
export function simulated(desk, search, over, { root, candidates, first, last, sums }) {
  const trials = allTrials.get(desk) || new Trials(desk, search);
  allTrials.set(desk, trials);
  const { deals, dealt, games, words } = trials;
  deals.rows.row(deals.size - 1).set(root);
  deals.run("deal_trials", search.seed, first, dealt);
  const [count, used] = [candidates.length, candidates.length * (last - first)];
  for (let row = 0; row < games.size; row++) {
    const deal = Math.floor(row / count) % search.look_every;
    games.rows.row(row).set(deals.rows.row(deal));
    words.values[row] = dealt.values[deal];
    if (row >= used) games.field("phase", row)[0] = over;
  }
  const actions = Array.from({ length: games.size }, (_, row) => (row < used ? candidates[row % count] : NO_ACTION));
  const found = sums.slice();
  for (const [row, result] of played(trials, search, over, actions, used).entries())
    [result, result * result, 1].forEach((each, k) => (found[3 * (row % count) + k] += each));
  return found;
}

/** The results of games for the seat to move: each begins with an action, and the network plays on for all.
 * @param {Trials} trials @param {SearchFacts} search @param {number} over @param {number[]} actions @param {number} used
 * the number of games */
function played({ games, words, outcomes }, search, over, actions, used) {
  const { facts } = games.variant;
  const { sheets } = facts.look;
  const sheet = sheets[games.number("to_play")];
  const results = Array(used).fill(0);
  const { alone, against } = search.by_table;
  const left = Array(used).fill(search.horizon < 0 ? (facts.sheets === 1 ? alone : against) : search.horizon);
  let rows = [...results.keys()];
  for (games.play(actions); rows.length; games.play(actions)) {
    games.run("write_outcomes", sheet, outcomes);
    games.run("next_words", words);
    const ranked = games.rankSome(search.rollout_candidates, search.rollout_candidates);
    actions.fill(NO_ACTION);
    rows = rows.filter((row) => {
      const isOver = games.number("phase", row) === over;
      const { action, value } = isOver ? { action: NO_ACTION, value: outcomes.values[row] } : best(ranked, row);
      const isLast = isOver || (sheets[games.number("to_play", row)] === sheet && --left[row] === 0);
      if (isLast) {
        results[row] = value;
        games.field("phase", row)[0] = over;
      } else actions[row] = action;
      return !isLast;
    });
  }
  return results;
}

/** The action of highest value in a game, the first of several. @param {{ actions: Block<"i4">, values: Block<"f8"> }} ranked
 * @param {number} row */
function best(ranked, row) {
  const [actions, values] = [ranked.actions.row(row), ranked.values.row(row)];
  let place = 0;
  for (let k = 1; k < actions.length && actions[k] !== NO_ACTION; k++) if (values[k] > values[place]) place = k;
  return { action: actions[place], value: values[place] };
}
