// Agents on this page: their choices, advice and judgements (see `policies/`, `web/advice.py`, `web/analysis.py`).

import { fraction, noise, word } from "./chance.js";
import { NO_ACTION } from "./games.js";
import { bestFirst, completed } from "./rankings.js";

/** @import { Block } from "./engine.js" */
/** @import { Position } from "./position.js" */
/** @import { Advice } from "./rankings.js" */
/** @import { Session } from "./session.js" */
/** @import { GameFacts, PolicyFacts, QuickFacts, Value } from "./types.js" */

/** @typedef {{ seat: number, action: number, best: number, value: number, loss: number, unit: string,
 *   calibrated: boolean, mark: string }} Judgement */

/** The action that a policy chooses for the seat to move. @param {QuickFacts} policy @param {Position} position */
export function choose(policy, position) {
  const other = position.game.randomActions(true).values[0];
  if (policy.kind === "uniform") return other;
  const random = word(position.key, other);
  if (policy.kind === "value") {
    const temperature = policy.temperature * (policy.level ? position.facts.looseness : 1);
    return drawn(completed(position.desk.game, position.row).rankActions(false), temperature, random, position);
  }
  return fraction(random) < policy.epsilon ? other : position.game.greedyActions(policy.utility).values[0];
}

/** The action of highest value; with a temperature, each with a probability proportional to exp(value / temperature), as
 * of `Value` in `policies/value.py`.
 * @param {{ actions: Block<"i4">, values: Block<"f8"> }} ranked @param {number} temperature @param {bigint} random
 * @param {Position} position */
function drawn(ranked, temperature, random, position) {
  const actions = [...ranked.actions.values].filter((action) => action !== NO_ACTION);
  const values = ranked.values.values;
  const scale = temperature * valueOf(position).highest;
  const sums = actions.map((action, k) => (temperature ? values[k] / scale + noise(random, action) : values[k]));
  return actions[sums.indexOf(Math.max(...sums))];
}

/** The values that a policy has for the actions of the seat to move. @param {QuickFacts} policy
 * @param {Position} position @returns {Advice} */
export function advise(policy, position) {
  if (policy.kind === "value") {
    const { actions, values } = completed(position.desk.game, position.row).rankActions();
    return bestFirst([...actions.values], [...values.values], valueOf(position).unit);
  }
  if (policy.kind === "greedy") {
    const game = completed(position.desk.game, position.row);
    const { actions, values, counts } = game.candidates(policy.utility, game.variant.numActions);
    const count = Number(counts.values[0]);
    const unit = policy.utility === "points" ? "points" : "utility";
    return bestFirst([...actions.values].slice(0, count), [...values.values], unit);
  }
  return { actions: [choose(policy, position)], values: [0], unit: "choice" };
}

/** The facts of the network of a position's variant. @param {Position} position @returns {Value} */
function valueOf({ facts: { value } }) {
  if (!value) throw new Error("there is no network for this variant");
  return value;
}

/** The mean results that values of a network correspond to; null without a calibration (see
 * `policies/calibration.py`). @param {PolicyFacts} policy @param {Position} position @param {number[]} values */
function calibrated(policy, position, values) {
  if (policy.kind !== "value") return null;
  const { calibration, highest, margin, most_placed: most } = valueOf(position);
  if (!calibration) return null;
  const [a, b, c, d, e] = calibration;
  const p = Math.min(position.number("placed") / most, 1);
  return values.map((value) => {
    const share = Math.min(Math.max(value / highest, margin), 1 - margin);
    const logit = Math.log(share / (1 - share));
    const x = a + b * logit + c * p + d * p * logit + e * p * p;
    return highest * 0.5 * (1 + Math.tanh(0.5 * x));
  });
}

/** The slot of an action's tile and the places that it covers; null if it lays none. @param {Position} position
 * @param {number} action */
function laid(position, action) {
  if (position.choiceOf(action)) return null;
  const [slot, placement] = position.split(action);
  return { slot, places: position.facts.places[placement] };
}

/** The advice of a policy for the seat to move, as `advised` of `web/advice.py`. @param {PolicyFacts} policy
 * @param {Session} session @param {Position} position @param {Advice} advice of this policy @param {number | null} played
 * the action that was chosen, if it is known */
export function advised(policy, session, position, advice, played) {
  const mean = calibrated(policy, position, advice.values);
  const values = mean || advice.values;
  const entry = (/** @type {number} */ action, /** @type {number} */ k) => ({
    move: session.text(position, action),
    value: values[k] ?? null,
    error: Number.isFinite(advice.errors?.[k]) ? advice.errors?.[k] : null,
    ...laid(position, action),
  });
  const list = advice.actions.slice(0, session.kit.about.listed).map(entry);
  const found = { unit: advice.unit, calibrated: mean !== null, list, dots: dots(position, advice) };
  if (played === null) return found;
  const rank = advice.actions.indexOf(played);
  return { ...found, played: { ...entry(played, rank), rank: rank < 0 ? null : rank } };
}

/** The rank of the best action of each slot and place; none if there is nothing to compare. @param {Position} position
 * @param {Advice} advice */
function dots(position, advice) {
  if (advice.unit === "choice") return [];
  /** @type {Map<string, number[]>} */
  const best = new Map();
  for (const [rank, action] of advice.actions.entries()) {
    const { slot = 0, places = [] } = laid(position, action) || {};
    for (const place of places) {
      const key = [slot, ...place].join();
      if (!best.has(key)) best.set(key, [slot, ...place, rank]);
    }
  }
  return [...best.values()];
}

/** The marks of moves by their losses in a unit; none where these are not calibrated. @param {GameFacts} about
 * @param {string} unit @param {boolean} isCalibrated */
export const marksOf = (about, unit, isCalibrated) => (isCalibrated && about.marks[unit]) || [];

/** The judgement of a legal action, as `judge` of `policies/judging.py`. @param {QuickFacts} policy
 * @param {Position} position @param {number} action @returns {Judgement} */
export function judge(policy, position, action) {
  const { actions, values: own, unit } = advise(policy, position);
  const mean = calibrated(policy, position, own);
  const values = mean || own;
  const place = actions.indexOf(action);
  const loss = Math.max(0, values[0] - values[place < 0 ? values.length - 1 : place]);
  const mark = marksOf(position.about, unit, mean !== null).find(([least]) => loss > least)?.[1] || "";
  const { toPlay: seat } = position;
  return { seat, action, best: actions[0], value: values[0], loss, unit, calibrated: mean !== null, mark };
}
