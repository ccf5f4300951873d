// The level of a player, estimated from the judged moves of a finished game: the counterpart of `policies/estimate.py`.

/** @import { Judgement } from "./agents.js" */
/** @import { LevelFacts } from "./types.js" */

/** The level whose median game is nearest, and the lowest and the highest one of the interval; null if it is not known.
 * @param {LevelFacts | null} facts @param {Judgement[]} judged the moves of the player */
export function estimated(facts, judged) {
  if (!facts || judged.some(({ calibrated, unit }) => !calibrated || unit !== "win")) return null;
  const shares = judged
    .filter(({ value }) => value >= facts.decided && value <= 1 - facts.decided)
    .map(({ loss, value }) => loss / value);
  if (shares.length < facts.least) return null;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const gaps = facts.spreads.map(([median]) => Math.abs(mean - median));
  const level = gaps.indexOf(Math.min(...gaps)) + 1;
  const usual = facts.spreads.flatMap(([, low, high], k) => (low <= mean && mean <= high ? [k + 1] : []));
  return [level, Math.min(level, ...usual), Math.max(level, ...usual)];
}
