// One position of a game: what the kernels say of it, by names.

import { parts } from "../../render/static/lists.js";
import { Games } from "./games.js";

/** @import { Variant } from "./games.js" */
/** @import { GameFacts, Tile, Trail } from "./types.js" */

const AT_ONCE = 64; // games of a batch that tries moves

/** Games of a variant in which positions are looked at and moves are tried, made once. */
export class Desk {
  /** @param {Variant} variant */
  constructor(variant) {
    this.variant = variant;
    this.game = new Games(variant, 1);
    this.trials = new Games(variant, AT_ONCE);
    this.ranks = variant.engine.array("i8", 1, variant.facts.sheets);
  }
}

/** of a position before all moves @type {Trail} */
const NOTHING = { placements: [], last: null };

export class Position {
  /** @param {Desk} desk @param {GameFacts} about the game @param {Uint8Array} row its bytes, which do not change
   * @param {Trail} [trail] the tiles laid before */
  constructor(desk, about, row, trail = NOTHING) {
    this.desk = desk;
    this.about = about;
    this.facts = desk.variant.facts;
    this.row = row;
    this.trail = trail;
  }

  /** The game to look at, with this position. */
  get game() {
    const { game } = this.desk;
    game.rows.values.set(this.row);
    return game;
  }

  /** @param {string} name of a field with one number */
  number(name) {
    return this.game.number(name);
  }

  /** The numbers of a field, a copy. @param {string} name */
  field(name) {
    return Array.from(this.game.field(name), Number);
  }

  /** The key of the game, by which policies make random choices. */
  get key() {
    return /** @type {bigint} */ (this.game.field("policy_key")[0]);
  }

  get toPlay() {
    return this.number("to_play");
  }

  get isOver() {
    return this.number("phase") === this.about.over;
  }

  /** What a seat may know, by section. @param {number} seat */
  seen(seat) {
    const values = this.game.observe([seat]).row(0);
    const { sections } = this.facts.observation;
    const read = Object.entries(sections).map(([name, { at, shape }]) => {
      const size = shape.reduce((product, length) => product * length, 1);
      return [name, Array.from(values.subarray(at, at + size), Number)];
    });
    return /** @type {Record<string, number[]>} */ (Object.fromEntries(read));
  }

  /** 1 for each legal action, a copy. */
  mask() {
    return this.game.mask().row(0).slice();
  }

  /** The legal actions, ascending. */
  legal() {
    const found = [];
    for (const [action, isLegal] of this.mask().entries()) if (isLegal) found.push(action);
    return found;
  }

  /** The number of the first action that is a choice. */
  get firstChoice() {
    const { slots, placements } = this.facts.actions;
    return slots * placements;
  }

  /** Slot and placement of an action that lays a tile. @param {number} action */
  split(action) {
    const { placements } = this.facts.actions;
    return [Math.floor(action / placements), action % placements];
  }

  /** The name of the choice of an action; undefined for a placement. @param {number} action */
  choiceOf(action) {
    return this.facts.actions.choices[action - this.firstChoice];
  }

  /** The types of the tiles on the racks, by seat. */
  rackTypes() {
    const racks = parts(this.field("racks"), this.facts.actions.slots);
    return racks.map((rack) => rack.filter((type) => type !== this.about.no_tile));
  }

  /** The tiles on the racks, by seat; what others do not see, so for ends and spectators only. */
  racks() {
    return this.rackTypes().map((rack) => rack.map((type) => /** @type {Tile} */ (this.facts.tiles[type])));
  }

  /** The tiles in the bag. */
  get bag() {
    return this.facts.row.fields.bag.shape[0] - this.number("drawn");
  }

  /** The scores, a list for each sheet. */
  scores() {
    return parts(this.field("scores"), this.scoresASheet);
  }

  /** The result of a solitaire game. */
  get lowest() {
    return Math.min(...this.scores()[0]);
  }

  get scoresASheet() {
    const [sheets, ...rest] = this.facts.row.fields.scores.shape;
    return rest[0] ?? sheets / this.facts.sheets;
  }

  /** The rank of each sheet, 1 the best, ties shared; null until the game is over. */
  ranks() {
    if (!this.isOver) return null;
    this.game.run("write_ranks", this.desk.ranks);
    return Array.from(this.desk.ranks.values, Number);
  }

  /** What the tile laid last scored, a list as a sheet's; null if none was. */
  gains() {
    const { last } = this.trail;
    if (!last) return null;
    const sheet = this.facts.look.sheets[last.seat];
    return this.scores()[sheet].map((now, k) => now - last.before[sheet][k]);
  }

  /** The points of actions for the seat to move: the change of its sheet's scores, summed. @param {number[]} actions */
  points(actions) {
    const { trials } = this.desk;
    const sheet = this.facts.look.sheets[this.toPlay];
    const total = (/** @type {ArrayLike<number | bigint>} */ scores) =>
      parts(Array.from(scores, Number), this.scoresASheet)[sheet].reduce((sum, each) => sum + each, 0);
    const before = total(this.game.field("scores"));
    const found = [];
    for (let from = 0; from < actions.length; from += AT_ONCE) {
      for (let row = 0; row < AT_ONCE; row++) trials.rows.row(row).set(this.row);
      const some = Array.from({ length: AT_ONCE }, (_, row) => actions[from + row] ?? actions[from]);
      trials.play(some);
      for (let row = 0; row < Math.min(AT_ONCE, actions.length - from); row++)
        found.push(total(trials.field("scores", row)) - before);
    }
    return found;
  }

  /** The position after an action; throws `Illegal`. @param {number} action */
  after(action) {
    const { game } = this;
    game.play([action]);
    return game.rows.values.slice();
  }

  /** The sheet on which a seat scores. @param {number} seat */
  sheetOf(seat) {
    return this.facts.look.sheets[seat];
  }
}
