// A game at a real table, followed from one seat: the counterpart of `policies/real_table.py` and of `RealSession`.

import { BadText, Session, typed } from "./session.js";
import { Unseen, countOf, offers, rackOf, refuse } from "./unseen.js";

/** @import { Games } from "./games.js" */
/** @import { Position } from "./position.js" */
/** @import { Kit } from "./session.js" */
/** @import { Entry, Move, RealFacts, RealPreset } from "./types.js" */

/** A tile on the board. @typedef {{ type: number, [where: string]: any }} Laid */

/** The modules that read moves and lay tiles of a game: `page/real.js`.
 * @typedef {{ moveOf: (facts: any, typed: string) => Move, barred: (position: Position) => Set<number>,
 *   startOf: (facts: any, types: number[]) => Laid[],
 *   setUp: (game: Games, laid: any[], toPlay: number, words: Record<string, string>) => void,
 *   problem: (position: Position, words: Record<string, string>) => string }} Own */

/** What real tables of a preset need. @typedef {{ kit: Kit, facts: RealFacts, preset: RealPreset, own: Own }} RealKit */

const UNKNOWN = -1; // the action of a placement: slots of other seats are not known

export class RealSession extends Session {
  /** A table without a position yet; throws `BadText`. @param {RealKit} real @param {number} seat */
  constructor(real, seat) {
    super(real.kit, []);
    this.real = real;
    this.words = real.facts.words.table;
    this.facts = real.kit.desk.variant.facts;
    this.checkSeat("seat", seat);
    if (this.facts.players > 1 && real.preset.open) refuse(this.words.open);
    this.seat = seat;
    this.unseen = new Unseen(this, real, seat);
    /** @type {Entry[]} */
    this.turns = [];
    /** before each entry, and now @type {Position[]} */
    this.positions = [];
  }

  /** @override @param {number} number */
  at(number) {
    return this.positions[number];
  }

  /** @override @param {number} count */
  takeBack(count) {
    this.turns.splice(this.turns.length - count);
    this.positions.splice(this.positions.length - count);
  }

  // Texts.

  /** @param {string} name @param {number} seat */
  checkSeat(name, seat) {
    const high = this.facts.players - 1;
    if (seat < 0 || seat > high) refuse(this.real.facts.words.range, { name, low: 0, high, number: seat });
  }

  /** A value as the engine's sentences have it. @param {any} value @returns {string} */
  shown(value) {
    if (Array.isArray(value)) return `[${value.map((each) => this.shown(each)).join(", ")}]`;
    if (typeof value !== "string") return this.real.facts.values[String(value)] ?? String(value);
    return value.includes("'") ? JSON.stringify(value) : `'${value.replace(/\\/g, "\\\\")}'`;
  }

  /** A tile as the engine's sentences have it. @param {readonly any[]} tile */
  shownTile(tile) {
    return `(${tile.map((each) => this.shown(each)).join(", ")})`;
  }

  /** A number of tiles in words. @param {number} number @param {string} [kind] */
  count(number, kind) {
    return countOf(this.real.facts.words.unseen, number, kind);
  }

  /** The types of tiles by their texts. @param {string[]} tiles */
  types(tiles) {
    return tiles.map((text) => {
      const type = this.real.preset.tiles.findIndex(([name]) => name === text);
      return type < 0 ? this.refuseTile(this.shown(text)) : type;
    });
  }

  /** @param {string} tile @returns {never} */
  refuseTile(tile) {
    const { tiles } = this.facts;
    const [first, last] = [tiles[0], tiles[tiles.length - 1]].map((each) => this.shownTile(each));
    return refuse(this.real.facts.words.dealing["no tile"], { tile, first, last });
  }

  /** The move that a text means. @param {string} text @returns {Move} */
  moveOf(text) {
    const line = typed(text);
    const choice = this.facts.actions.choices.find((name) => name === line.toLowerCase());
    return choice === undefined ? this.real.own.moveOf(this.facts, line) : { text: choice, tile: null };
  }

  /** The type of the tile of a placement. @param {Move} move */
  typeOf({ tile }) {
    const type = this.facts.tiles.findIndex((each) => String(each) === String(tile));
    return type < 0 ? this.refuseTile(this.shownTile(tile || [])) : type;
  }

  // What can be entered.

  /** The last entry. */
  get latest() {
    return this.turns[this.turns.length - 1];
  }

  /** Whether a choice shows a rack and belongs to the turn of another seat that has just placed a tile: its turn was taken
   * to be over, as others do not notice whether it has the choice. @param {string} choice */
  showsLate(choice) {
    const { latest, now } = this;
    if (!this.kit.about.shows.includes(choice) || !latest || offers(now, choice)) return false;
    return latest.seat !== this.seat && latest.action === UNKNOWN;
  }

  /** The named choices that the seat to move may have, as far as the own seat knows. */
  get choices() {
    const { now, seat, facts } = this;
    const mayChoose = (/** @type {string} */ name) => {
      if (now.toPlay === seat) return offers(now, name);
      try {
        this.following({ seat: now.toPlay, move: { text: name, tile: null }, drawn: [], shown: [] });
      } catch (error) {
        if (!(error instanceof BadText)) throw error;
        return false;
      }
      return !this.kit.about.shows.includes(name);
    };
    return now.isOver ? [] : facts.actions.choices.filter(mayChoose);
  }

  /** The number of tiles that another seat shows with a choice after its last tile, 0 if it has none. @param {string} choice */
  numShown(choice) {
    const { now, latest } = this;
    if (now.isOver || !this.showsLate(choice) || now.toPlay === latest.seat) return 0;
    return rackOf(this.at(this.turns.length - 1), latest.seat).length - 1;
  }

  /** The number of tiles that the own seat draws after a move; throws `BadText`. @param {string} text */
  numDrawn(text) {
    const entry = this.entry(text);
    if (entry.seat !== this.seat) refuse(this.words["to move"], { mover: entry.seat, seat: this.seat });
    return this.explained(entry, () => this.draws(entry).number);
  }

  /** Enter a move, and the tiles that the own seat drew or another one showed; throws `BadText`, and nothing has changed.
   * @param {string} text @param {string[]} tiles */
  enter(text, tiles) {
    const isOther = this.now.toPlay !== this.seat || this.numShown(text) > 0;
    const entry = this.entry(text, isOther ? [] : tiles, isOther ? tiles : []);
    const position = this.explained(entry, () => this.unseen.ready(this.following(entry)));
    const { seat, move } = entry;
    const choice = this.facts.actions.choices.indexOf(move.text);
    const action = choice < 0 ? UNKNOWN : position.firstChoice + choice;
    this.turns.push({ seat, action, move: move.text, tile: move.tile, tiles });
    this.positions.push(position);
  }

  /** The entry of a move; throws `BadText`. @param {string} text @param {string[]} [drawn] @param {string[]} [shown] */
  entry(text, drawn = [], shown = []) {
    const { now, latest } = this;
    if (now.isOver) refuse(this.words.over);
    const move = this.moveOf(text);
    const seat = this.showsLate(move.text) ? latest.seat : now.toPlay;
    return { seat, move, drawn: this.types(drawn), shown: this.types(shown) };
  }

  /** The result of a function, whose reasons begin with the move of an entry. @template T @param {{ move: Move }} entry
   * @param {() => T} make @returns {T} */
  explained({ move }, make) {
    try {
      return make();
    } catch (error) {
      throw error instanceof BadText ? new BadText(`${move.text}: ${error.message}`) : error;
    }
  }

  /** The position after an entry; throws `BadText`. @param {ReturnType<RealSession["entry"]>} entry */
  following(entry) {
    const { seat, move, drawn, shown } = entry;
    const { words, unseen, now, kit } = this;
    if (seat === this.seat) return this.followingOwn(entry);
    if (drawn.length) refuse(words["not own"], { seat: this.seat, mover: seat });
    if (move.tile === null && kit.about.shows.includes(move.text)) return this.followingShow(entry);
    if (shown.length) refuse(words["shows none"]);
    if (move.tile) return unseen.played(now, move.text, new Map([[seat, [this.typeOf(move)]]]));
    return kit.about.private.includes(move.text) ? unseen.played(now, move.text) : unseen.chosen(now, move.text);
  }

  /** @param {ReturnType<RealSession["entry"]>} entry of the own seat */
  followingOwn(entry) {
    const { seat, move, drawn, shown } = entry;
    const { words, unseen, now, kit } = this;
    if (shown.length) refuse(words["not others"], { seat });
    const { number, after } = this.draws(entry);
    if (number !== drawn.length) refuse(words.draws, { seat, tiles: this.count(number), given: drawn.length });
    if (!kit.about.returns.includes(move.text)) return unseen.played(now, move.text, undefined, drawn);
    return after.isOver ? after : unseen.redealt(after, new Map([[seat, drawn]])); // the bag was shuffled before the draw
  }

  /** The number of tiles that the own seat draws after a move, and the position with others drawn.
   * @param {ReturnType<RealSession["entry"]>} entry */
  draws({ move }) {
    const { now, seat, kit } = this;
    const after = this.unseen.played(now, move.text);
    if (after.isOver) return { number: 0, after };
    const isWhole = kit.about.shows.includes(move.text) || kit.about.returns.includes(move.text);
    const kept = isWhole ? 0 : rackOf(now, seat).length - Number(move.tile !== null);
    return { number: rackOf(after, seat).length - kept, after };
  }

  /** The position after another seat has shown the rack that its last placement left.
   * @param {ReturnType<RealSession["entry"]>} entry */
  followingShow({ seat, move, shown }) {
    const { words, unseen, latest } = this;
    if (!this.showsLate(move.text)) refuse(words["not placed"], { seat });
    const before = this.at(this.turns.length - 1);
    const size = rackOf(before, seat).length - 1;
    if (shown.length !== size) refuse(words.shows, { seat, tiles: this.count(size), given: shown.length });
    const placed = this.typeOf({ text: latest.move, tile: latest.tile });
    const position = unseen.moved(unseen.dealt(before, new Map([[seat, [placed, ...shown]]])), latest.move);
    if (position.isOver || position.toPlay !== seat || !offers(position, move.text)) refuse(words["may not"], { seat });
    return unseen.played(position, move.text, new Map([[seat, shown]]));
  }
}
