// A table on this page: a game, its players and what each may see, the counterpart of `web/tables.py`.

import { Refusal } from "./refusal.js";
import { LOCAL } from "./texts.js";

/** @import { Position } from "./position.js" */
/** @import { Session } from "./session.js" */
/** @import { Turn } from "./types.js" */

export const HUMAN = "human";
const PUBLIC = 2 ** 20; // the increment of a version for a public change; 1 for others

export class Table {
  /** @param {string} id @param {Session} session @param {string[]} seats @param {string[]} keys */
  constructor(id, session, seats, keys) {
    this.id = id;
    this.session = session;
    this.seats = seats;
    this.keys = keys;
    this.version = 0;
    this.takeBacks = false;
    this.hints = false;
    /** the seats that took back moves not yet shown to others @type {Set<number>} */
    this.hiddenTakeBacks = new Set();
    /** the number of turns after each public move; the first is the deal */
    this.public = [0];
    this.recount();
    this.shown = this.turnsAt(null);
  }

  get about() {
    return this.session.kit.about;
  }

  /** What the browser keeps of the game. @returns {any} */
  get kept() {
    return this.session.kept;
  }

  get players() {
    return this.seats.length;
  }

  /** the seat to move, and whether the game is over, in the latest position */
  get toPlay() {
    return this.session.now.toPlay;
  }

  get isOver() {
    return this.session.now.isOver;
  }

  /** Whether all of it may be revealed: it is over, or only agents play. */
  get isOpen() {
    return this.isOver || !this.seats.includes(HUMAN);
  }

  /** Whether a person is to move. */
  get isWaiting() {
    return !this.isOver && this.seats[this.toPlay] === HUMAN;
  }

  /** The displayed name of an agent. @param {string} name */
  agentName(name) {
    return this.about.levels.find(({ agent }) => agent === name)?.name ?? name;
  }

  /** The players' names by seat; equal ones end in the number of the seat, from 1. */
  names() {
    const people = this.seats.filter((seat) => seat === HUMAN).length;
    const { you, player } = this.session.kit.desk.variant.facts.local.texts;
    const names = this.seats.map((seat) => (seat === HUMAN ? (people === 1 ? you : player) : this.agentName(seat)));
    return names.map((name, seat) => (names.filter((each) => each === name).length > 1 ? `${name} ${seat + 1}` : name));
  }

  /** The seats whose keys are among these. @param {string} keys separated by commas */
  ownSeats(keys) {
    const given = keys.split(",");
    return this.keys.flatMap((key, seat) => (key && given.includes(key) ? [seat] : []));
  }

  /** The seat for which a page with these seats shows the table; null for spectators. @param {number[]} seats
   * @returns {number | null} */
  seatShown(seats) {
    if (seats.length < 2) return seats[0] ?? null;
    const { toPlay, players } = this;
    const distance = (/** @type {number} */ seat) => (toPlay - seat + players) % players;
    return seats.reduce((one, other) => (distance(other) < distance(one) ? other : one));
  }

  /** @param {number[]} seats @param {number} version */
  isCurrent(seats, version) {
    return version === this.versionFor(this.seatShown(seats));
  }

  /** @param {number[]} seats @param {number} version */
  isToMove(seats, version) {
    return this.isCurrent(seats, version) && !this.isOver && seats.includes(this.toPlay);
  }

  // What seats may see.

  /** The number of moves so far that a seat may know. @param {number | null} seat */
  total(seat) {
    return this.public.length - 1 - this.numHeld(seat);
  }

  /** @param {number | null} seat */
  versionFor(seat) {
    return seat === this.toPlay ? this.version : this.version - (this.version % PUBLIC);
  }

  /** @param {number | null} seat */
  hasTakeBacks(seat) {
    const hidden = this.hiddenTakeBacks;
    return this.takeBacks || (this.isOver ? hidden.size > 0 : seat !== null && hidden.has(seat));
  }

  /** The number of turns that a seat may see after a number of moves, by default all; undefined if there are
   * fewer moves. @param {number | null} seat @param {number} [number] */
  turnsAt(seat, number = this.total(seat)) {
    if (number < 0 || number > this.total(seat)) return undefined;
    const following = this.public[number + 1];
    return following === undefined ? this.session.turns.length : following - 1;
  }

  /** The position that a seat may see after a number of moves, and the action of the next one, null if it may know no
   * more; undefined if there are fewer. @param {number | null} seat @param {number} number */
  reviewed(seat, number) {
    const turns = this.turnsAt(seat, number);
    if (turns === undefined) return undefined;
    const played = number === this.total(seat) ? null : this.session.turns[turns].action;
    return { position: this.session.at(turns), played };
  }

  /** The number of last placements not yet shown to a seat: those after which a choice that others cannot see was
   * available. @param {number | null} seat */
  numHeld(seat) {
    const { toPlay, session } = this;
    if (seat === toPlay) return 0;
    let held = 0;
    for (let number = session.turns.length; number > 0; number--) {
      const { seat: mover, action } = session.turns[number - 1];
      const position = session.at(number);
      if (mover !== toPlay || position.choiceOf(action) || !this.privateActions(position).length) break;
      held += 1;
    }
    return held;
  }

  /** The legal actions in a position that others cannot see. @param {Position} position */
  privateActions(position) {
    if (position.isOver || !this.about.private.length) return [];
    return position.legal().filter((action) => this.about.private.includes(position.choiceOf(action)));
  }

  // Changes.

  /** Play an action for the seat to move; throws `BadText`, and nothing has changed. @param {number} action */
  play(action) {
    this.session.play(action);
    this.counted();
  }

  /** Play the move that a text means; throws `BadText`, and nothing has changed. @param {string} text
   * @param {any[]} [_tiles] drawn or shown, at a real table */
  move(text, _tiles) {
    this.play(this.session.action(this.session.now, text));
  }

  /** Count the move that the session has just made. */
  counted() {
    this.recount();
    this.raiseVersion();
  }

  /** Go back to the last decision of a seat; whether it has made one. @param {number[]} seats */
  takeBack(seats) {
    const { turns } = this.session;
    const last = turns.findLast(({ seat }) => seats.includes(seat));
    if (!last) return false;
    this.session.takeBack(turns.length - turns.indexOf(last));
    this.recount();
    if (this.raiseVersion()) this.takeBacks = true;
    else this.hiddenTakeBacks.add(last.seat);
    return true;
  }

  /** Raise the version after a change; whether it is public. */
  raiseVersion() {
    const before = this.shown;
    this.shown = this.turnsAt(null);
    const isNoticed = this.shown !== before;
    this.version += isNoticed ? PUBLIC - (this.version % PUBLIC) : 1;
    return isNoticed;
  }

  recount() {
    const { private: hidden } = this.about;
    this.public = [0];
    for (const [number, { move }] of this.session.turns.entries())
      if (!hidden.includes(move)) this.public.push(number + 1);
  }

  // What is refused.

  /** The tiles that can be drawn after a move, at a real table. @param {string} _text @returns {any} */
  draws(_text) {
    throw new Refusal(422, LOCAL.notReal);
  }

  /** Refuse advice for the seat to move. @param {Position} _position */
  checkAdvised(_position) {}

  /** Refuse judgements. */
  checkJudged() {}

  /** Refuse a text that would reveal hidden tiles. @param {"record" | "position" | "replay"} what */
  checkOpen(what) {
    if (!this.isOpen) throw new Refusal(409, LOCAL.hidden(what));
  }

  // The state for a page.

  /** The table as a seat may see it after some of its moves (see `visible` in `web/visible.py`); undefined if
   * there are fewer. @param {number[]} seats of the page @param {number | null} at */
  state(seats, at) {
    const { session, about } = this;
    const seat = this.seatShown(seats);
    const turns = this.turnsAt(seat, at ?? undefined);
    if (turns === undefined) return undefined;
    const [position, names] = [session.at(turns), this.names()];
    const viewer = seat ?? position.toPlay;
    const { texts } = session.kit;
    const isOver = this.isOver;
    return {
      id: this.id,
      game: about.game,
      rules: position.facts.rules,
      version: this.versionFor(seat),
      at: at ?? this.total(seat),
      total: this.total(seat),
      seat,
      seats: this.seats,
      names,
      to_play: position.toPlay,
      over: isOver,
      terminal: position.isOver,
      ranks: position.ranks(),
      headline: texts.headline(position, seat, names),
      last: this.last(turns, position),
      scene: texts.scene(position, viewer),
      take_backs: this.hasTakeBacks(seat),
      hints: this.hints,
      ...(seat === null || isOver ? { revealed: position.racks() } : {}),
      ...(isOver ? { deal: session.beginning() } : {}),
      yours: seats,
      judge: position.facts.value ? about.judge : null,
    };
  }

  /** The last public move, its seat and its score. @param {number} turns
   * @param {Position} position after them */
  last(turns, position) {
    const numbers = this.public.slice(1).filter((number) => number <= turns);
    if (!numbers.length) return null;
    return this.moveShown(this.session.turns[numbers[numbers.length - 1] - 1], position);
  }

  /** A move, its seat and its score. @param {Turn} turn @param {Position} position after it */
  moveShown({ seat, move, action }, position) {
    const gains = position.choiceOf(action) ? null : position.gains();
    return { seat, move, ...(gains ? { gains: this.shapeOfGains(gains) } : {}) };
  }

  /** A sheet's scores as the game has them: a list, or a number. @param {number[]} gains */
  shapeOfGains(gains) {
    return this.session.kit.desk.variant.facts.row.fields.scores.shape.length > 1 ? gains : gains[0];
  }
}
