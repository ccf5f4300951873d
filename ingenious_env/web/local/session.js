// A game with its history: the counterpart of `policies/session.py` and of `engine/records.py`.

import { filled } from "../../render/static/lists.js";
import { Illegal } from "./games.js";
import { Position } from "./position.js";
import { LOCAL } from "./texts.js";

/** @import { Desk } from "./position.js" */
/** @import { GameFacts, Trail, Turn } from "./types.js" */

const MAX_SEED = 2n ** 64n;

/** The sentence that names the player to move, as `turn_of` of `render/words.py`. @param {Position} position
 * @param {number | null} viewer @param {string[]} names */
export function turnOf({ toPlay, facts }, viewer, names) {
  const { texts } = facts.local;
  const isReader = viewer === toPlay || names[toPlay] === texts.you;
  return isReader ? texts["your turn"] : filled(texts.turn, { name: names[toPlay] });
}

/** A text that cannot be read, or a move that is not possible. */
export class BadText extends Error {}

/** The modules that read and write a game's texts: `page/local.js`.
 * @typedef {{ scene: (position: Position, seat: number) => any,
 *   headline: (position: Position, viewer: number | null, names: string[]) => string,
 *   moveText: (facts: any, type: number, placement: number) => string,
 *   actionOf: (position: Position, text: string) => number,
 *   reason: (position: Position, action: number, code: number) => string }} Texts */

/** A preset ready to be played. @typedef {{ about: GameFacts, preset: string, desk: Desk, texts: Texts }} Kit */

export class Session {
  /** @param {Kit} kit @param {Uint8Array<ArrayBuffer>[]} rows the bytes of the first position
   * @param {bigint[] | null} seed of the deal; null of a game that began with a position */
  constructor(kit, rows, seed = null) {
    this.kit = kit;
    this.seed = seed;
    /** @type {Turn[]} */
    this.turns = [];
    /** the bytes of the game before each turn, and now */
    this.rows = rows;
  }

  /** A game that begins with a deal. @param {Kit} kit @param {bigint} seed @param {bigint} [index] of the game under the
   * seed */
  static dealt(kit, seed, index = 0n) {
    const { game } = kit.desk;
    game.seed(seed, index);
    return new Session(kit, [game.rows.values.slice()], [seed, index]);
  }

  /** The position after a number of moves. @param {number} number */
  at(number) {
    return new Position(this.kit.desk, this.kit.about, this.rows[number], this.trail(number));
  }

  /** The latest position. */
  get now() {
    return this.at(this.turns.length);
  }

  /** Whether a position is the latest, and not one that has been taken back. @param {Position} position */
  isAt(position) {
    return this.rows[this.rows.length - 1] === position.row;
  }

  /** The tiles laid by the first moves. @param {number} number @returns {Trail} */
  trail(number) {
    /** @type {Trail} */
    const trail = { placements: [], last: null };
    const [{ actions }, { desk, about }] = [this.kit.desk.variant.facts, this.kit];
    let before = -1;
    for (const [turn, { action }] of this.turns.slice(0, number).entries()) {
      if (action >= actions.slots * actions.placements) continue;
      trail.placements.push(action % actions.placements);
      before = turn;
    }
    if (before >= 0) {
      const scores = new Position(desk, about, this.rows[before]).scores();
      trail.last = { seat: this.turns[before].seat, before: scores };
    }
    return trail;
  }

  /** Play an action for the seat to move; throws `BadText`, and nothing has changed. @param {number} action */
  play(action) {
    const { now } = this;
    const turn = { seat: now.toPlay, action, move: this.text(now, action) };
    this.rows.push(this.after(now, action));
    this.turns.push(turn);
  }

  /** The position after an action; throws `BadText` with the reason why it is illegal. @param {Position} position
   * @param {number} action */
  after(position, action) {
    try {
      return position.after(action);
    } catch (error) {
      if (!(error instanceof Illegal)) throw error;
      throw new BadText(this.kit.texts.reason(position, action, error.code));
    }
  }

  /** The position that an action leads to, without the tile that it lays in its trail. @param {Position} position
   * @param {number} action legal */
  follow(position, action) {
    return new Position(this.kit.desk, this.kit.about, position.after(action), position.trail);
  }

  /** Take back the last moves. @param {number} count */
  takeBack(count) {
    this.turns.splice(this.turns.length - count);
    this.rows.splice(this.rows.length - count);
  }

  // Moves and records as text.

  /** An action of a position as text. @param {Position} position @param {number} action */
  text(position, action) {
    const choice = position.choiceOf(action);
    if (choice) return choice;
    const [slot, placement] = position.split(action);
    return this.kit.texts.moveText(position.facts, position.rackTypes()[position.toPlay][slot], placement);
  }

  /** The action that a text means in a position; throws `BadText`. @param {Position} position @param {string} text */
  action(position, text) {
    const line = typed(text);
    const choice = position.facts.actions.choices.indexOf(line.toLowerCase());
    return choice < 0 ? this.kit.texts.actionOf(position, line) : position.firstChoice + choice;
  }

  /** What the browser keeps of the game. @returns {any} */
  get kept() {
    return { seed: this.seed?.map(String), actions: this.turns.map(({ action }) => action) };
  }

  /** The beginning of the game as text. @returns {string} */
  beginning() {
    return this.record(0);
  }

  /** The first moves as a record. @param {number} [number] all by default */
  record(number = this.turns.length) {
    const { about, desk } = this.kit;
    const moves = this.turns.slice(0, number).map(({ move }) => move);
    const lines = [about.record, `rules ${desk.variant.facts.rules}`, `seed ${this.seed?.join(" ")}`, ...moves];
    return `${lines.join("\n")}\n`;
  }
}

/** A line as it is written, though a person typed or pasted it (see `typed_lines` of the package). @param {string} line */
export const typed = (line) =>
  line
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^> /, "")
    .replace(/ ?([,=@]) ?/g, "$1");

/** The lines of a text that are not blank. @param {string} text */
export const linesOf = (text) =>
  text
    .split(/\r\n?|\n/)
    .map(typed)
    .filter(Boolean);

/** The parts of a record: the rules, the seed and the moves. @param {string} text */
export function readRecord(text) {
  const [, rules = "", seed = "", ...moves] = linesOf(text);
  const numbers = /^seed (\d{1,20}) (\d{1,20})$/.exec(seed);
  if (!rules.startsWith("rules ") || !numbers) throw new BadText(LOCAL.record);
  const pair = numbers.slice(1).map(BigInt);
  if (pair.some((number) => number >= MAX_SEED)) throw new BadText(LOCAL.seed(MAX_SEED));
  return { rules: rules.slice("rules ".length), seed: pair, moves };
}
