// A game as one seat knows it, with placeholders for the tiles that it does not see: the counterpart of `engine/unseen.py`.

import { filled } from "../../render/static/lists.js";
import { Position } from "./position.js";
import { BadText } from "./session.js";

/** @import { RealKit } from "./real_session.js" */
/** @import { Session } from "./session.js" */
/** @import { Trail } from "./types.js" */
/** @typedef {Map<number, number[]>} Racks types that seats have, at least, by seat */

const CHOOSE = 1; // the phase in which a named choice is due

/** Throw `BadText`. @param {string} text @param {Record<string, any>} [values] to fill in @returns {never} */
export function refuse(text, values = {}) {
  throw new BadText(filled(text, values));
}

/** A number of tiles in words. @param {Record<string, string>} words of `unseen.py` @param {number} number
 * @param {string} [kind] */
export function countOf(words, number, kind = "") {
  const text = filled(words[number === 1 ? "tile" : "tiles"], { number });
  return kind ? `${text} ${kind}` : text;
}

/** The types on a rack, ascending. @param {Position} position @param {number} seat */
export const rackOf = (position, seat) => position.rackTypes()[seat];

/** Whether the seat to move may make a choice. @param {Position} position @param {string} choice */
export const offers = (position, choice) =>
  Boolean(position.mask()[position.firstChoice + position.facts.actions.choices.indexOf(choice)]);

/** All of some types, each as often as it is there. @param {Map<number, number>} counts */
const elements = (counts) => [...counts].flatMap(([type, count]) => Array(Math.max(0, count)).fill(type));

/** The changed game of a desk as a position. @param {Position} position that it was @param {Trail} [trail] */
const changed = ({ desk, about, trail: before }, trail = before) =>
  new Position(desk, about, desk.game.rows.values.slice(), trail);

export class Unseen {
  /** @param {Session} session of which only the kit is used @param {RealKit} real @param {number} seat */
  constructor(session, real, seat) {
    this.session = session;
    this.real = real;
    this.seat = seat;
    this.words = real.facts.words.unseen;
  }

  /** The number of each type on racks and in the bag, in the order in which they are found. @param {Position} position */
  all(position) {
    /** @type {Map<number, number>} */
    const found = new Map();
    const types = [...position.rackTypes().flat(), ...position.field("bag").slice(position.number("drawn"))];
    for (const type of types) found.set(type, (found.get(type) || 0) + 1);
    return found;
  }

  /** The number of each type that the seat does not see. @param {Position} position */
  of(position) {
    const found = this.all(position);
    for (const type of rackOf(position, this.seat)) found.set(type, (found.get(type) || 0) - 1);
    return new Map([...found].filter(([, count]) => count > 0));
  }

  /** The types that the seat to move cannot have if it is to make a choice. @param {Position} position */
  barred(position) {
    return this.real.own.barred(position);
  }

  /** A position in which these tiles are dealt anew; throws `BadText`. @param {Position} position @param {Racks} [racks]
   * those that are known; the seat itself has its own by default @param {number[]} [drawn] types that are drawn next
   * @param {Set<number>} [first] types that lie on the rack of the seat to move, on others or in the bag, in this order */
  dealt(position, racks = new Map(), drawn = [], first = new Set()) {
    const given = new Map([[this.seat, rackOf(position, this.seat)], ...racks]);
    const rest = this.left(position, given, drawn, first);
    const [sizes, { toPlay }] = [position.rackTypes().map((rack) => rack.length), position];
    const { slots } = position.facts.actions;
    const { game } = position;
    const [on, bag, from] = [game.field("racks"), game.field("bag"), game.number("drawn")];
    for (const k of sizes.keys()) {
      const seat = (toPlay + k) % sizes.length;
      const [size, tiles] = [sizes[seat], given.get(seat) || []];
      if (tiles.length > size) refuse(this.words.has, { seat, tiles: countOf(this.words, size), given: tiles.length });
      const rack = [...tiles, ...rest.splice(0, size - tiles.length)].sort((a, b) => a - b);
      rack.forEach((type, slot) => (on[seat * slots + slot] = type));
    }
    [...drawn, ...rest].slice(0, bag.length - from).forEach((type, k) => (bag[from + k] = type));
    return changed(position);
  }

  /** The types that are not given, `first` ones first. @param {Position} position @param {Racks} given
   * @param {number[]} drawn @param {Set<number>} first */
  left(position, given, drawn, first) {
    const left = this.all(position);
    for (const type of [...drawn, ...[...given.values()].flat()]) left.set(type, (left.get(type) || 0) - 1);
    const lacking = [...left].find(([, count]) => count < 0);
    if (lacking) {
      const [text, total] = this.real.preset.tiles[lacking[0]];
      const unseen = this.of(position).get(lacking[0]) || 0;
      const values = { seat: this.seat, unseen, tiles: countOf(this.words, total, text), tile: text, total };
      refuse(this.words[unseen ? "seen some" : "seen all"], values);
    }
    return elements(left).sort((one, other) => Number(first.has(other)) - Number(first.has(one)) || one - other);
  }

  /** The position after a move of the seat to move, in which the turn and the game go on if they may; throws `BadText`.
   * @param {Position} position before it @param {string} move @param {Racks} [racks] as of `dealt`
   * @param {number[]} [drawn] as of `dealt` */
  played(position, move, racks, drawn) {
    let after = position;
    for (let first = new Set(), time = 0; time < 2; time++) {
      after = this.moved(this.dealt(position, racks, drawn, first), move);
      first = this.barred(after); // which tiles can be laid next is known after the move
    }
    return after;
  }

  /** @param {Position} position @param {string} move legal, else this throws `BadText` */
  moved(position, move) {
    const { session } = this;
    const action = session.action(position, move);
    const row = session.after(position, action);
    const { desk, about, trail } = position;
    if (position.choiceOf(action)) return new Position(desk, about, row, trail);
    const placements = [...trail.placements, position.split(action)[1]];
    const last = { seat: position.toPlay, before: position.scores() };
    return new Position(desk, about, row, { placements, last });
  }

  /** A position at the beginning of a turn, with these racks and the phase that follows from them; throws `BadText`.
   * @param {Position} position @param {Racks} racks */
  redealt(position, racks) {
    const found = this.dealt(position, racks, [], this.barred(position));
    if (found.isOver || !found.desk.game.has("find_phases")) return found;
    found.game.run("find_phases");
    return changed(found);
  }

  /** The position after another seat's choice, which it makes as it has no tile to place; throws `BadText`.
   * @param {Position} position @param {string} move */
  chosen(position, move) {
    const [{ toPlay: seat }, barred] = [position, this.barred(position)];
    const size = rackOf(position, seat).length;
    const rack = elements(this.of(position))
      .filter((type) => !barred.has(type))
      .slice(0, size);
    if (rack.length < size) refuse(this.words["can place"], { seat });
    const racks = new Map([[seat, rack]]);
    return this.played(this.redealt(position, racks), move, racks);
  }

  /** The position at the next decision that all notice; another seat can place a tile if it may have one.
   * @param {Position} position */
  ready(position) {
    const { about, facts } = position;
    for (let now = position; ;) {
      if (now.isOver || now.toPlay === this.seat || now.number("phase") !== CHOOSE) return now;
      const hidden = facts.actions.choices.find((name) => about.private.includes(name) && offers(now, name));
      if (hidden === undefined) {
        const [barred, unseen] = [this.barred(now), this.of(now)];
        const ways = [...barred].filter((type) => unseen.has(type));
        return ways.length ? this.redealt(now, new Map([[now.toPlay, [Math.min(...ways)]]])) : now;
      }
      now = this.played(now, hidden); // it is made, unless a public one is entered
    }
  }
}
