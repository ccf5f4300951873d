// Positions as text, and games that begin with one, loaded on first use (see `engine/text.py` and `notation.py` of the games).

import { parts } from "../../render/static/lists.js";
import { realFacts } from "./kits.js";
import { Position } from "./position.js";
import { POSITIONS } from "./positions_texts.js";
import { BadText, Session, linesOf } from "./session.js";

/** @import { Games } from "./games.js" */
/** @import { Kit } from "./session.js" */
/** @import { RealFacts, RealPreset, VariantFacts } from "./types.js" */

/** The modules that read and write a game's positions: `page/notation.js`.
 * @typedef {{ HIGHEST_SCORE: number, boardText: (facts: VariantFacts, board: number[]) => string,
 *   boardOf: (facts: VariantFacts, text: string) => number[] | null, derive: (game: Games) => void,
 *   problem: (position: Position, words: Record<string, string>) => string,
 *   impossible: (position: Position, tiles: RealPreset["tiles"]) => string }} Notation */

/** What positions of a preset need.
 * @typedef {{ kit: Kit, facts: RealFacts, preset: RealPreset, notation: Notation }} PositionKit */

const NONE = "-";
const BITS = "touched"; // a number whose bits are listed
const WORDS = ["stream", "policy_key"];
const NUMBERS = ["scores", "drawn_since"];
/** the highest numbers of fields other than scores @type {Record<string, number>} */
const HIGH = { u1: 255, i4: 2 ** 31 - 1 };

/** @param {Kit} kit @returns {Promise<PositionKit>} */
async function positionKit(kit) {
  const { game } = kit.about;
  const [facts, notation] = await Promise.all([realFacts(game), import(`../../games/${game}/page/notation.js`)]);
  return { kit, facts, preset: facts.presets[kit.preset], notation };
}

/** A game that begins with a position; it has no record, as the seed of its deal is unknown. */
class PositionSession extends Session {
  /** @param {PositionKit} tools @param {Uint8Array<ArrayBuffer>} row */
  constructor(tools, row) {
    super(tools.kit, [row]);
    this.tools = tools;
  }

  /** @override */
  get kept() {
    return { start: this.beginning(), actions: this.turns.map(({ action }) => action) };
  }

  /** @override */
  beginning() {
    return written(this.tools, this.at(0));
  }

  /** @override @returns {string} */
  record() {
    throw new BadText(POSITIONS.noRecord);
  }
}

/** A game that begins with the position in a text; throws `BadText`. @param {string} text
 * @param {(rules: string) => Promise<Kit>} kitFor the kit of rules as text */
export async function opened(text, kitFor) {
  const [first, rules, ...others] = linesOf(text);
  const kit = await kitFor((rules || "").replace(/^rules /, ""));
  const tools = await positionKit(kit);
  const { version, lines: names } = tools.facts.notation;
  const values = others.map((line, k) =>
    line.startsWith(`${names[k + 1]} `) ? line.slice(names[k + 1].length + 1) : null,
  );
  if (first !== version || others.length !== names.length - 1 || values.includes(null))
    throw new BadText(POSITIONS.lines([version, ...names].join(", ")));
  const row = read(tools, new Map(names.slice(1).map((name, k) => [name, /** @type {string} */ (values[k])])));
  return new PositionSession(tools, row);
}

/** The text of a position. @param {Position} position @param {Kit} kit */
export const textOf = async (position, kit) => written(await positionKit(kit), position);

// Reading.

/** The row of a position; throws `BadText`. @param {PositionKit} tools @param {Map<string, string>} lines */
function read(tools, lines) {
  const { kit, preset, notation, facts } = tools;
  const { game } = kit.desk;
  game.clear(preset.fresh);
  const unplaced = preset.tiles.map(() => 0);
  for (const [name, text] of lines) readLine(tools, game, name, text, unplaced);
  const number = preset.tiles.reduce((sum, [, count]) => sum + count, 0);
  const tooMany = unplaced.findIndex((count, type) => count > preset.tiles[type][1]);
  if (tooMany >= 0) throw new BadText(POSITIONS.impossible("bag"));
  unplaced.forEach((count, type) => (game.field("unplaced")[type] = count));
  game.field("placed")[0] = number - unplaced.reduce((sum, count) => sum + count, 0);
  notation.derive(game);
  const { desk, about } = kit;
  const position = new Position(desk, about, game.rows.values.slice());
  const problem = notation.problem(position, facts.words.own);
  if (problem) throw new BadText(problem);
  const line = notation.impossible(position, preset.tiles);
  if (line) throw new BadText(POSITIONS.impossible(line));
  position.game.field("held")[0] = 0; // a tile that is picked is put back
  return desk.game.rows.values.slice();
}

/** Write a line into a game; throws `BadText`. @param {PositionKit} tools @param {Games} game @param {string} name
 * @param {string} text @param {number[]} unplaced the number of tiles of each type, which is added to */
function readLine(tools, game, name, text, unplaced) {
  const { fields } = game.variant.facts.row;
  const put = (/** @type {any[]} */ values) => values.forEach((value, k) => (game.field(name)[k] = value));
  if (name === "board") return put(tools.notation.boardOf(game.variant.facts, text) || bad(name));
  if (name === "turn") return readTurn(tools, game, text);
  if (WORDS.includes(name)) return put(/^[0-9a-f]{16}$/.test(text) ? [BigInt(`0x${text}`)] : bad(name));
  const rows = text.split(" ").map((row) => (row === NONE ? [] : row.split(",")));
  const { shape, kind } = fields[name];
  const [count, width] = shape.length > 1 ? shape : [1, shape[0]];
  if (rows.length !== count || rows.some((row) => row.length > width)) bad(name);
  if (NUMBERS.includes(name)) {
    if (rows.some((row) => row.length < width)) bad(name);
    const high = name === "scores" ? tools.notation.HIGHEST_SCORE : HIGH[kind];
    return put(rows.flat().map((word) => numberOf(word, high, name)));
  }
  const types = rows.map((row) => row.map((word) => typeOf(tools, word, name)));
  if (name === "shown") return put(types.flatMap((row) => countsOf(tools, row)));
  for (const type of types.flat()) unplaced[type] += 1;
  const missing = width - types[0].length;
  if (name !== "bag")
    return put(types.flatMap((row) => [...row, ...Array(width - row.length).fill(tools.kit.about.no_tile)]));
  game.field("drawn")[0] = missing;
  return put([...Array(missing).fill(0), ...types[0]]);
}

/** @param {PositionKit} tools @param {Games} game @param {string} text of the line of the turn */
function readTurn({ facts }, game, text) {
  const { turn: names, phases } = facts.notation;
  const [[turn, ...more], ...pairs] = text.split(" ").map((part) => part.split("="));
  if (more.length || String(pairs.map(([name]) => name)) !== String(names)) bad("turn");
  for (const [name, word = ""] of [["turn", turn], ...pairs]) {
    const { kind } = game.variant.facts.row.fields[name];
    const isBits = name === BITS && /^(-|(?=.)0?1?2?3?4?5?)$/.test(word);
    const bits = [...word.replace(NONE, "")].reduce((sum, bit) => sum + 2 ** Number(bit), 0);
    const phase = phases.includes(word) ? phases.indexOf(word) : NaN;
    const value = name === "phase" ? phase : name === BITS ? (isBits ? bits : NaN) : numberOf(word, HIGH[kind], "turn");
    game.field(name)[0] = Number.isNaN(value) ? bad("turn") : value;
  }
}

/** @param {string} name of a line @returns {never} */
function bad(name) {
  throw new BadText(POSITIONS.line(name));
}

/** @param {string} word @param {number} high than which it has no more digits @param {string} name of the line */
const numberOf = (word, high, name) =>
  /^\d+$/.test(word) && word.length <= String(high).length && Number(word) <= high ? Number(word) : bad(name);

/** @param {PositionKit} tools @param {string} word @param {string} name of the line */
function typeOf({ preset }, word, name) {
  const type = preset.tiles.findIndex(([text]) => text === word);
  return type < 0 ? bad(name) : type;
}

/** The number of each type. @param {PositionKit} tools @param {number[]} types */
const countsOf = ({ preset }, types) => preset.tiles.map((_, type) => types.filter((each) => each === type).length);

// Writing.

/** The text of a position. @param {PositionKit} tools @param {Position} position */
function written({ kit, preset, notation, facts: real }, position) {
  const { facts } = kit.desk.variant;
  const { version, lines, turn, phases } = real.notation;
  const row = (/** @type {any[]} */ values) => values.join(",") || NONE;
  const tiles = (/** @type {number[]} */ types) =>
    row(types.filter((type) => type !== kit.about.no_tile).map((type) => preset.tiles[type][0]));
  const rowsOf = (/** @type {string} */ name) => {
    const { shape } = facts.row.fields[name];
    return parts(position.field(name), shape[shape.length - 1]);
  };
  const valueOf = (/** @type {string} */ name) => {
    const value = position.number(name);
    if (name === "phase") return phases[value];
    if (name !== BITS) return value;
    return (
      [...value.toString(2)]
        .reverse()
        .flatMap((bit, k) => (bit === "1" ? [k] : []))
        .join("") || NONE
    );
  };
  const textFor = (/** @type {string} */ name) => {
    if (name === "rules") return facts.rules;
    if (name === "board") return notation.boardText(facts, position.field(name));
    if (name === "turn") return [position.number(name), ...turn.map((each) => `${each}=${valueOf(each)}`)].join(" ");
    if (name === "bag") return tiles(position.field(name).slice(position.number("drawn")));
    if (WORDS.includes(name)) return position.game.field(name)[0].toString(16).padStart(16, "0");
    if (name === "shown")
      return rowsOf(name)
        .map((counts) => tiles(counts.flatMap((count, type) => Array(count).fill(type))))
        .join(" ");
    return rowsOf(name)
      .map(name === "racks" || name === "out" ? tiles : row)
      .join(" ");
  };
  return [version, ...lines.map((name) => `${name} ${textFor(name)}`), ""].join("\n");
}
