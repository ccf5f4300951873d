// The luck of the draw in a game: the counterpart of `policies/luck.py`, which documents it.

import { parts } from "../../render/static/lists.js";
import { Games, NO_ACTION } from "./games.js";

/** @import { Desk } from "./position.js" */
/** @import { GameFacts } from "./types.js" */

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** the games in which draws are tried, of each desk @type {WeakMap<Desk, Games>} */
const allTrials = new WeakMap();

class DrawLuck {
  /** @param {Desk} desk @param {GameFacts} about @param {{ candidates: number, compared: number }} limits */
  constructor(desk, about, limits) {
    const { facts } = desk.variant;
    const trials = allTrials.get(desk) || new Games(desk.variant, facts.tiles.length);
    allTrials.set(desk, trials);
    this.about = about;
    this.facts = facts;
    this.limits = limits;
    this.game = desk.game;
    this.trials = trials;
    /** by seat, the tiles of each type that it has drawn since its latest decision, and those among which they were
     * @type {{ tiles: number[], pool: number[] }[]} */
    this.draws = [];
    /** what was added to the luck of each sheet */
    this.total = Array(facts.sheets).fill(0);
  }

  /** Deal, and judge what the first seat has drawn. @param {bigint[]} seed */
  deal([seed, index]) {
    this.game.seed(seed, index);
    const bag = this.inBag();
    this.draws = this.racks().map((rack) => {
      const tiles = this.counts(rack);
      return { tiles, pool: tiles.map((count, type) => count + bag[type]) };
    });
    this.judge();
  }

  /** Play an action, note what it has drawn, and judge the draws that are due. @param {number} action */
  play(action) {
    const { game, facts, about } = this;
    const seat = game.number("to_play");
    const [drawn, pool, rack] = [game.number("drawn"), this.inBag(), this.counts(this.racks()[seat])];
    game.play([action]);
    const choice = facts.actions.choices[action - facts.actions.slots * facts.actions.placements];
    const isReturned = about.returns.includes(choice);
    const isWhole = isReturned || about.shows.includes(choice);
    if (game.number("phase") !== about.over && (isWhole || game.number("drawn") > drawn)) {
      const after = this.inBag();
      this.draws[seat] = {
        tiles: isWhole ? this.counts(this.racks()[seat]) : pool.map((count, type) => count - after[type]),
        pool: pool.map((count, type) => count + (isReturned ? rack[type] : 0)),
      };
    }
    this.judge();
  }

  racks() {
    const racks = [...this.game.field("racks")].map(Number);
    return parts(racks, racks.length / this.facts.players);
  }

  /** The number of tiles of each type among some. @param {number[]} tiles */
  counts(tiles) {
    const found = Array(this.facts.tiles.length).fill(0);
    for (const tile of tiles) if (tile !== this.about.no_tile) found[tile] += 1;
    return found;
  }

  inBag() {
    return this.counts([...this.game.field("bag")].slice(this.game.number("drawn")).map(Number));
  }

  /** Add the luck of what the seat to move has drawn. */
  judge() {
    const { game, draws, about, facts } = this;
    const seat = game.number("to_play");
    const { tiles, pool } = draws[seat];
    if (game.number("phase") === about.over || !tiles.some(Boolean)) return;
    const worth = this.worth(seat, tiles, pool);
    const mean = sum(pool.map((count, type) => count * worth[type])) / sum(pool);
    const luck = sum(tiles.map((count, type) => count * worth[type])) - sum(tiles) * mean;
    this.total[facts.look.sheets ? facts.look.sheets[seat] : seat] += luck;
    tiles.fill(0);
  }

  /** By type, the value of the best action with that tile next to those that the seat had kept. @param {number} seat
   * @param {number[]} tiles @param {number[]} pool */
  worth(seat, tiles, pool) {
    const { game, trials, limits } = this;
    const kept = this.counts(this.racks()[seat]).map((count, type) => count - tiles[type]);
    for (const [type, count] of pool.entries()) {
      trials.rows.row(type).set(game.rows.values);
      if (count) this.give(type, seat, kept, sum(tiles) - 1);
    }
    if (trials.has("find_phases")) trials.run("find_phases");
    for (const [type, count] of pool.entries()) if (!count) trials.field("phase", type)[0] = this.about.over;
    const { actions, values } = trials.rankSome(limits.candidates, limits.compared);
    return pool.map((count, type) => {
      const found = [...values.row(type)].filter((_, k) => actions.row(type)[k] !== NO_ACTION);
      return count && found.length ? Math.max(...found) : 0;
    });
  }

  /** Give a seat its rack in a trial as if it had drawn one tile. @param {number} type of that tile, and the trial
   * @param {number} seat @param {number[]} kept @param {number} missing the number of tiles that it drew besides, whose
   * places in the bag any tiles take */
  give(type, seat, kept, missing) {
    const { trials } = this;
    const held = kept.flatMap((count, each) => Array(count + Number(each === type)).fill(each));
    const racks = trials.field("racks", type);
    const slots = racks.length / this.facts.players;
    for (let slot = 0; slot < slots; slot++) racks[seat * slots + slot] = held[slot] ?? this.about.no_tile;
    const drawn = trials.number("drawn", type) - missing;
    trials.field("bag", type).fill(/** @type {never} */ (type), drawn, drawn + missing);
    trials.field("drawn", type)[0] = drawn;
  }
}

/** The luck of each sheet in a game less the mean of the others', or of a single one its own, in the unit of the
 * network; null where it is not known. @param {Desk} desk @param {GameFacts} about @param {bigint[]} seed
 * @param {number[]} actions of all moves */
export function luckOf(desk, about, seed, actions) {
  const { value } = desk.variant.facts;
  if (!value?.luck) return null;
  const luck = new DrawLuck(desk, about, value.luck);
  luck.deal(seed);
  for (const action of actions) luck.play(action);
  const { total } = luck;
  if (total.length === 1) return total;
  return total.map((each) => (each * total.length - sum(total)) / (total.length - 1));
}
