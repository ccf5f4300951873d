// The level of a player, estimated from the judged moves of a finished game: the counterpart of `policies/estimate.py`.

/** @import { Judgement } from "./agents.js" */
/** @import { LevelFacts } from "./types.js" */

/** The level whose median game is nearest, and the lowest and the highest one of the interval; null if it is not known.
 * @param {LevelFacts | null} facts @param {Judgement[]} judged the moves of the player */
export function estimated(facts, judged) {
  if (!facts || judged.some(({ calibrated, unit }) => !calibrated || unit !== facts.unit)) return null;
  const losses = facts.unit === "win" ? relativeLosses(facts, judged) : judged.map(({ loss }) => loss);
  if (losses.length < facts.least) return null;
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  const gaps = facts.spreads.map(([median]) => Math.abs(mean - median));
  const level = gaps.indexOf(Math.min(...gaps)) + 1;
  const usual = facts.spreads.flatMap(([, low, high], k) => (low <= mean && mean <= high ? [k + 1] : []));
  return [level, Math.min(level, ...usual), Math.max(level, ...usual)];
}

/** The share of the mover's chance that each move gave up, in positions that were not decided.
 * @param {LevelFacts} facts @param {Judgement[]} judged */
function relativeLosses(facts, judged) {
  return judged
    .filter(({ value }) => value >= facts.decided && value <= 1 - facts.decided)
    .map(({ loss, value }) => loss / value);
}
