// Games at real tables on this page: their tables, requests and keeping, loaded on first use; the counterpart of
// `web/real.py`.

import { filled } from "../../render/static/lists.js";
import { kitOf, realFacts } from "./kits.js";
import { Position } from "./position.js";
import { begun, dealt } from "./real_begin.js";
import { BadText } from "./session.js";
import { HUMAN, Table } from "./table.js";
import { Refusal } from "./refusal.js";
import { rackOf } from "./unseen.js";

/** @import { RealKit, RealSession } from "./real_session.js" */
/** @import { Kit } from "./session.js" */

/** What real tables of a preset need. @param {Kit} kit @returns {Promise<RealKit>} */
async function realKit(kit) {
  const { about, preset } = kit;
  const [facts, own] = await Promise.all([realFacts(about.game), import(`../../games/${about.game}/page/real.js`)]);
  return { kit, facts, preset: facts.presets[preset], own };
}

/** The tiles of a variant, to choose those of a deal (see `deal_of`). @param {Kit} kit */
export async function dealOf(kit) {
  const { preset } = await realKit(kit);
  const counts = new Map(preset.tiles.map(([, count], type) => [type, count]));
  return { tiles: palette(kit, preset.tiles, counts), has_start: preset.deal.includes(null) };
}

/** The text, the tile and the number of each type of which there are tiles. @param {Kit} kit
 * @param {[string, number][]} texts @param {Map<number, number>} counts */
function palette({ desk }, texts, counts) {
  const { tiles } = desk.variant.facts;
  return tiles.flatMap((tile, type) => (counts.get(type) ? [[texts[type][0], tile, counts.get(type)]] : []));
}

const areTexts = (/** @type {any} */ value) =>
  Array.isArray(value) && value.every((/** @type {any} */ each) => typeof each === "string");

/** The session that a page begins (see `real_table`); throws `BadText`. @param {RealKit} real @param {any} wanted */
function sessionOf(real, { seat, rack, start = null, placed, scores = null, to_play: toPlay }) {
  const { request } = real.facts.words;
  if (!Number.isInteger(seat) || !areTexts(rack) || !(start === null || typeof start === "string"))
    throw new BadText(request["no table"]);
  if (placed === undefined) return dealt(real, seat, rack, start);
  if (!areTexts(placed) || !Number.isInteger(toPlay)) throw new BadText(request["not begun"]);
  return begun(real, seat, rack, placed, scores, toPlay);
}

/** A table that follows a real one. @param {Kit} kit @param {any} wanted what the page asks for @param {() => string} key
 * makes an id or a key */
export async function realTable(kit, wanted, key) {
  const plain = JSON.parse(JSON.stringify(wanted)); // as a server receives it
  const session = sessionOf(await realKit(kit), plain);
  const seats = Array(session.facts.players).fill(HUMAN);
  return new RealTable(key(), session, seats, seats.map(key), plain);
}

/** A table as it was kept. @param {string} id @param {any} kept */
export async function reopened(id, kept) {
  const session = sessionOf(await realKit(await kitOf(kept.game, kept.preset)), kept.real);
  for (const [move, tiles] of kept.entries) session.enter(move, tiles);
  return new RealTable(id, session, kept.seats, kept.keys, kept.real);
}

class RealTable extends Table {
  /** @param {string} id @param {RealSession} session @param {string[]} seats @param {string[]} keys
   * @param {any} wanted by what it began */
  constructor(id, session, seats, keys, wanted) {
    super(id, session, seats, keys);
    this.session = session;
    this.wanted = wanted;
  }

  /** @override what the browser keeps of the game */
  get kept() {
    return { real: this.wanted, entries: this.session.turns.map(({ move, tiles }) => [move, tiles]) };
  }

  /** @override */
  names() {
    const { texts } = this.session.facts.local;
    return this.seats.map((_, seat) =>
      seat === this.session.seat ? texts.you : filled(texts.seat, { number: seat + 1 }),
    );
  }

  /** @override @param {number[]} seats */
  seatShown(seats) {
    return seats.length ? this.session.seat : null;
  }

  /** @override */
  versionFor() {
    return this.version;
  }

  /** @override */
  numHeld() {
    return 0; // nothing is hidden from the person who enters it
  }

  /** @override @param {number | null} seat @param {number} number */
  reviewed(seat, number) {
    const { session } = this;
    const found = super.reviewed(seat, number);
    if (!found || found.played === null || found.position.toPlay !== session.seat) return found;
    const { move } = session.turns[/** @type {number} */ (this.turnsAt(seat, number))];
    return { ...found, played: session.action(found.position, move) };
  }

  /** @override @param {string} text @param {any[]} [tiles] */
  move(text, tiles = []) {
    this.checkMove(text);
    this.session.enter(text, tiles.map(String));
    this.counted();
  }

  /** Throw `BadText` for a text that is not a move. @param {string} text */
  checkMove(text) {
    const { real } = this.session;
    const { longest, words } = real.facts;
    if (text.length > longest) throw new BadText(filled(words.server["long move"], { most: longest }));
    this.session.moveOf(text);
  }

  /** @override The tiles that the own seat can draw after a move (see `draws_of`); throws `BadText`. @param {string} text */
  draws(text) {
    this.checkMove(text);
    const { session } = this;
    const { now, seat, real, unseen, kit } = session;
    const number = now.toPlay === seat ? session.numDrawn(text) : 0;
    const counts = unseen.of(now);
    if (kit.about.returns.includes(text))
      for (const type of rackOf(now, seat)) counts.set(type, (counts.get(type) || 0) + 1);
    return { number, tiles: palette(kit, real.preset.tiles, counts) };
  }

  /** @override Refuse advice for another seat, as other racks are not known. @param {Position} position */
  checkAdvised(position) {
    if (position.toPlay !== this.session.seat) throw new Refusal(422, this.session.real.facts.words.server.hints);
  }

  /** @override */
  checkJudged() {
    const { server } = this.session.real.facts.words;
    throw new Refusal(422, filled(server["no judge"], { judge: this.about.judge }));
  }

  /** @override @param {"record" | "position" | "replay"} what */
  checkOpen(what) {
    const { server } = this.session.real.facts.words;
    throw new Refusal(409, filled(server["no text"], { what: server[what] }));
  }

  /** @override @param {number[]} seats @param {number | null} at */
  state(seats, at) {
    const found = super.state(seats, at);
    if (!found) return undefined;
    const { session } = this;
    const { revealed: _racks, deal: _deal, ...seen } = found;
    const latest = at === null ? { scene: this.scene() } : {};
    return { ...seen, ...latest, judge: null, yours: [session.seat], real: this.entered() };
  }

  /** The latest position as the own seat knows it; while another one is to move, with a tile of each type that it may
   * hold (see `real_scene`). */
  scene() {
    const { now, seat, unseen, facts, kit, choices } = this.session;
    const { texts } = kit;
    const scene = texts.scene(now, seat);
    const { toPlay } = now;
    if (now.isOver || toPlay === seat) return scene;
    const counts = unseen.of(now);
    const types = facts.tiles.flatMap((_, type) => (counts.has(type) ? [type] : []));
    const { slots } = facts.actions;
    const [rack, legal] = [/** @type {any[]} */ ([]), /** @type {number[][]} */ ([])];
    let shown = /** @type {any} */ ({});
    for (let first = 0; first < types.length; first += slots) {
      const { game } = now;
      const on = game.field("racks");
      for (let slot = 0; slot < slots; slot++) on[toPlay * slots + slot] = types[first + slot] ?? kit.about.no_tile;
      const tried = new Position(kit.desk, kit.about, game.rows.values.slice(), now.trail);
      shown = texts.scene(tried, toPlay);
      legal.push(
        ...(shown.legal || []).map((/** @type {number[]} */ [slot, ...rest]) => [rack.length + slot, ...rest]),
      );
      rack.push(...shown.rack);
    }
    return { ...shown, ...scene, rack, choices, ...(shown.legal && { legal }) };
  }

  /** From what a page enters the next move (see `entry_state`). */
  entered() {
    const { session } = this;
    const { now, seat, real, unseen, kit, latest, facts } = session;
    const shows = facts.actions.choices.flatMap((name) => {
      const number = session.numShown(name);
      return number ? [[name, latest.seat, number]] : [];
    });
    return { seat, unseen: palette(kit, real.preset.tiles, unseen.of(now)), shows: shows[0] || null };
  }
}
