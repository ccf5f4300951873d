// Games of one variant as rows of bytes, which the kernels of their game play: the counterpart of `GameBatch`.

import { Block } from "./engine.js";

/** @import { Argument, Engine } from "./engine.js" */
/** @import { Ranking, VariantFacts } from "./types.js" */

const ALL_ROWS = -1; // what a kernel returns that stopped at no row
const ALL_STEPS = -1;
const FLAT = false;
export const NO_ACTION = -1; // of a game that is over

/** An action that the rules do not allow. */
export class Illegal extends Error {
  /** @param {number} row of its game @param {number} code why, as the game numbers its reasons */
  constructor(row, code) {
    super(`the action of game ${row} is illegal: code ${code}`);
    this.row = row;
    this.code = code;
  }
}

/** A variant, its tables and its network in the memory of kernels. */
export class Variant {
  /** @param {Engine} engine @param {VariantFacts} facts @param {Uint8Array} tables of the rules
   * @param {Uint8Array | null} weights of its network */
  constructor(engine, facts, tables, weights = null) {
    this.engine = engine;
    this.facts = facts;
    this.numActions = facts.actions.slots * facts.actions.placements + facts.actions.choices.length;
    this.tables = engine.arrayOfBytes("u1", tables);
    this.weights = weights && engine.arrayOfBytes("f4", weights);
    this.utilities = Object.fromEntries(
      Object.entries(facts.utilities).map(([name, values]) => [name, engine.arrayOf("f8", values)]),
    );
  }

  /** The arguments of a network's kernels that follow from the variant. */
  get network() {
    const { value } = this.facts;
    if (!value || !this.weights) throw new Error(`there is no network for ${this.facts.rules}`);
    const { candidates, ranked, compared } = value;
    return { weights: this.weights, values: this.utilities[value.utility], candidates, ranked, compared };
  }
}

/** Some games of a variant; game i is row i. */
export class Games {
  /** @param {Variant} variant @param {number} size the number of games */
  constructor(variant, size) {
    const { engine, facts, numActions } = variant;
    this.variant = variant;
    this.size = size;
    this.rows = engine.array("u1", size, facts.row.bytes);
    this.spec = engine.array("i8", facts.spec.length);
    const spec = this.spec.values;
    facts.spec.forEach((number, k) => (spec[k] = BigInt(number)));
    const { address } = variant.tables;
    spec[facts.addresses.wide_tables] = BigInt(address);
    spec[facts.addresses.small_tables] = BigInt(address + facts.tables.wide_bytes);
    spec[facts.addresses.games] = BigInt(this.rows.address);
    const { scores } = facts.row.fields;
    this.made = {
      flags: engine.array("b1", size),
      seeds: engine.array("u8", size),
      indices: engine.array("u8", size),
      actions: engine.array("i4", size),
      played: engine.array("i8", size),
      codes: engine.array("i8", size),
      seats: engine.array("i8", size),
      mask: engine.array("i1", size, numActions),
      observation: engine.array(facts.observation.kind, size, facts.observation.size),
      final: engine.array(
        "u1",
        size,
        scores.shape.reduce((width, length) => width * length, widthOf(scores.kind)),
      ),
    };
    /** arrays of advice, by their width @type {Map<number, { actions: Block<"i4">, values: Block<"f8"> }>} */
    this.tables = new Map();
  }

  /** Run a row kernel on all games; returns the row at which it stopped. @param {string} name
   * @param {...Argument} rest its own arguments */
  run(name, ...rest) {
    return this.variant.engine.call(name, this.spec, 0, this.size, ...rest);
  }

  /** Whether the game has a kernel. @param {string} name */
  has(name) {
    return name in this.variant.engine.kernels;
  }

  /** The numbers of a field of a game, a view as `Block.values`. @param {string} name @param {number} [row] */
  field(name, row = 0) {
    const { at, kind, shape } = this.variant.facts.row.fields[name];
    const { bytes } = this.variant.facts.row;
    return new Block(this.variant.engine.memory, kind, this.rows.address + row * bytes + at, shape).values;
  }

  /** A number of a game, as `phase`. @param {string} name @param {number} [row] */
  number(name, row = 0) {
    return Number(this.field(name, row)[0]);
  }

  // Deals and play.

  /** Reset the only game to that before its deal. @param {number} fresh where it begins in the tables */
  clear(fresh) {
    const tables = /** @type {Uint8Array} */ (this.variant.tables.values);
    this.rows.values.set(tables.subarray(fresh, fresh + this.variant.facts.row.bytes));
  }

  /** Deal all games anew: row i is `Game(rules, (seed, index + i))`. @param {bigint} seed @param {bigint} [index] */
  seed(seed, index = 0n) {
    const { flags, seeds, indices } = this.made;
    flags.values.fill(1);
    seeds.values.fill(seed);
    indices.values.set(Array.from({ length: this.size }, (_, row) => index + BigInt(row)));
    this.run("seed_games", flags, seeds, indices);
  }

  /** Play an action in each game, `NO_ACTION` in one that is over. Throws `Illegal`, and no game has changed.
   * @param {ArrayLike<number>} actions */
  play(actions) {
    const { played, flags, final, codes } = this.made;
    played.values.set(Array.from(actions, BigInt));
    const row = this.run("play_moves", ALL_STEPS, FLAT, played, null, flags, final, null, null);
    if (row === ALL_ROWS) return;
    this.run("explain_actions", FLAT, played, codes);
    throw new Illegal(row, Number(codes.values[row]));
  }

  /** Deal anew what the seats to move cannot know, each game by its own key. @param {bigint} seed */
  reshuffle(seed = 0n) {
    if (this.run("reshuffle_hidden", this.seatsToMove(), seed, true) !== ALL_ROWS)
      throw new Error("no deal agrees with what was shown");
  }

  // What is known of them.

  /** 1 for each legal action, a row for each game. */
  mask() {
    this.run("write_masks", FLAT, this.made.mask);
    return this.made.mask;
  }

  /** The observations of seats, a row for each game. @param {ArrayLike<number>} [seats] those to move by default */
  observe(seats) {
    const viewers = this.seatsToMove();
    if (seats) viewers.values.set(Array.from(seats, BigInt));
    this.run("write_observations", viewers, this.made.observation);
    return this.made.observation;
  }

  seatsToMove() {
    const { seats } = this.made;
    for (let row = 0; row < this.size; row++) seats.values[row] = BigInt(this.number("to_play", row));
    return seats;
  }

  // Agents.

  /** A random legal action of each game. @param {boolean} [byKey] by the key of its agents, else by its own stream */
  randomActions(byKey = false) {
    this.run("random_actions", FLAT, byKey, this.made.actions);
    return this.made.actions;
  }

  /** The action of each game that adds most to a utility. @param {string} utility */
  greedyActions(utility) {
    this.run("greedy_actions", FLAT, this.variant.utilities[utility], this.made.actions);
    return this.made.actions;
  }

  /** Actions of each game and their values by the network, as `rank_actions` of `policies/value.py`.
   * @param {boolean} [all] or only those that are compared for a choice */
  rankActions(all = true) {
    const { candidates, ranked, compared } = this.variant.network;
    return this.rankSome(candidates, all ? ranked : compared);
  }

  /** The same of a number of candidates, with room for some pairs. @param {number} candidates @param {number} room */
  rankSome(candidates, room) {
    const { weights, values } = this.variant.network;
    const found = this.table(room);
    found.actions.values.fill(NO_ACTION);
    found.values.values.fill(0);
    this.run("rank_actions", weights, values, candidates, found.actions, found.values);
    return found;
  }

  /** Actions of each game and their values as an agent ranks them, as `ranked` of `policies/ranking.py`.
   * @param {Ranking} ranking */
  ranked({ kernel, arguments: words, room }) {
    const found = this.table(room);
    found.actions.values.fill(NO_ACTION);
    this.run(kernel, ...words.map(BigInt), found.actions, found.values);
    return found;
  }

  /** The actions of each game that add most to a utility, with what they add and their number.
   * @param {string} utility @param {number} most */
  candidates(utility, most) {
    const { actions, values } = this.table(most);
    const counts = this.made.codes;
    this.run("write_candidates", this.variant.utilities[utility], actions, values, counts);
    return { actions, values, counts };
  }

  /** Arrays for this number of actions and values of each game. @param {number} width */
  table(width) {
    const { engine } = this.variant;
    const made = this.tables.get(width) || {
      actions: engine.array("i4", this.size, width),
      values: engine.array("f8", this.size, width),
    };
    this.tables.set(width, made);
    return made;
  }
}

/** The bytes of a number. @param {string} kind as NumPy writes it */
const widthOf = (kind) => Number(kind.slice(1));
