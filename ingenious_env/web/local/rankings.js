// Positions completed for agents, and actions in the order of their values.

import { NO_ACTION } from "./games.js";

/** @import { Games } from "./games.js" */

/** Actions, the best first, with their values and, after a search, the standard errors of these.
 * @typedef {{ actions: number[], values: number[], unit: string, errors?: number[] }} Advice */

/** A game with all dealt anew that the seat to move does not know. @param {Games} game @param {Uint8Array} row
 * @param {bigint} [seed] */
export function completed(game, row, seed) {
  game.rows.values.set(row);
  game.reshuffle(seed);
  return game;
}

/** Pairs of actions and values as advice; of a repeated action the highest value counts. @param {number[]} actions
 * @param {number[]} values @param {string} unit @returns {Advice} */
export function bestFirst(actions, values, unit) {
  const order = [...actions.keys()].filter((k) => actions[k] !== NO_ACTION).sort((a, b) => values[b] - values[a]);
  const listed = new Set();
  const firsts = order.filter((k) => !listed.has(actions[k]) && listed.add(actions[k]));
  return { actions: firsts.map((k) => actions[k]), values: firsts.map((k) => values[k]), unit };
}
