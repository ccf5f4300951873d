// The beginnings of games at real tables: the deal, or a position by the tiles on the board (see `policies/real_table.py`).

import { filled } from "../../render/static/lists.js";
import { Position } from "./position.js";
import { RealSession } from "./real_session.js";
import { refuse } from "./unseen.js";

/** @import { Games } from "./games.js" */
/** @import { Laid, RealKit } from "./real_session.js" */

/** A table at the deal; throws `BadText`. @param {RealKit} real @param {number} seat @param {string[]} rack
 * @param {string | null} start the tile on the start square */
export function dealt(real, seat, rack, start) {
  const session = new RealSession(real, seat);
  const { words } = session;
  const { deal } = real.preset;
  const given = [
    { place: seat, name: filled(words.rack, { seat }), types: session.types(rack) },
    { place: null, name: words.start, types: start === null ? [] : session.types([start]) },
  ];
  for (const { place, name, types } of given) {
    const number = deal.filter((each) => each === place).length;
    if (types.length !== number) refuse(words.deal, { name, tiles: session.count(number), given: types.length });
  }
  const [{ types: own }, { types: first }] = given;
  const { game } = real.kit.desk;
  place(session, game, own, real.own.startOf(session.facts, first), 0);
  for (const [name, word] of Object.entries(real.preset.dealt)) game.field(name)[0] = BigInt(word);
  session.positions.push(session.unseen.ready(positionOf(real, game)));
  return session;
}

/** A table that continues a game from the beginning of a turn; throws `BadText`. @param {RealKit} real
 * @param {number} seat @param {string[]} rack @param {string[]} placed the tiles on the board as moves
 * @param {any} scores in the form of the game's @param {number} toPlay */
export function begun(real, seat, rack, placed, scores, toPlay) {
  const session = new RealSession(real, seat);
  session.checkSeat("to_play", toPlay);
  const { game } = real.kit.desk;
  const types = session.types(rack);
  place(session, game, types, laidBy(session, placed), toPlay);
  const numbers = checked(session, scores);
  const field = game.field("scores");
  numbers.forEach((each, k) => (field[k] = each));
  const position = session.unseen.ready(positionOf(real, game));
  const problem = real.own.problem(position, real.facts.words.own);
  if (problem) refuse(problem);
  session.positions.push(position);
  return session;
}

/** Scores as a list; throws `BadText`. @param {RealSession} session @param {any} scores @returns {number[]} */
function checked(session, scores) {
  const { words, facts, real } = session;
  const { shape } = facts.row.fields.scores;
  /** @param {any} value @param {number[]} shape @returns {boolean} */
  const isWhole = (value, [length, ...rest]) =>
    length === undefined
      ? Number.isInteger(value)
      : Array.isArray(value) && value.length === length && value.every((each) => isWhole(each, rest));
  if (!isWhole(scores, shape))
    refuse(words["no scores"], { shape: session.shown(shape), scores: session.shown(scores) });
  const [numbers, { highest }] = [scores.flat(), real.preset];
  if (numbers.some((/** @type {number} */ each) => each < 0 || each > highest))
    refuse(words.scores, { highest, scores: session.shown(scores) });
  return numbers;
}

/** The tiles on the board by their moves; throws `BadText`. @param {RealSession} session @param {string[]} placed */
function laidBy(session, placed) {
  const moves = placed.map((text) => session.moveOf(text));
  const choice = moves.find(({ tile }) => tile === null);
  if (choice) refuse(session.words["no tile"], { move: session.shown(choice.text) });
  return moves.map((move) => ({ ...move, type: session.typeOf(move) }));
}

/** Put tiles on the board of a game, and the others on racks and in the bag, at the beginning of a turn; throws `BadText`.
 * @param {RealSession} session @param {Games} game @param {number[]} rack @param {Laid[]} laid @param {number} toPlay */
function place(session, game, rack, laid, toPlay) {
  const { words, facts, seat, real } = session;
  const rest = others(session, [...rack, ...laid.map(({ type }) => type)]);
  game.clear(real.preset.fresh);
  real.own.setUp(game, laid, toPlay, real.facts.words.own);
  const [{ slots }, { players }] = [facts.actions, facts];
  if (rack.length !== slots || rest.length < (players - 1) * slots)
    refuse(words.racks, { tiles: session.count(slots), given: rack.length, left: rest.length });
  const [on, bag] = [game.field("racks"), game.field("bag")];
  for (let each = 0; each < players; each++) {
    const types = each === seat ? [...rack].sort((a, b) => a - b) : rest.splice(0, slots);
    types.forEach((type, slot) => (on[each * slots + slot] = type));
  }
  const drawn = bag.length - rest.length;
  game.field("drawn")[0] = drawn;
  bag.forEach((_, k) => (bag[k] = k < drawn ? 0 : rest[k - drawn]));
  if (game.has("find_phases")) game.run("find_phases");
}

/** All types but those known, ascending; throws `BadText` if there are not so many. @param {RealSession} session
 * @param {number[]} known */
function others(session, known) {
  const { words, real } = session;
  const left = real.preset.tiles.map(([, number]) => number);
  for (const type of known) left[type] -= 1;
  const lacking = left.findIndex((number) => number < 0);
  if (lacking >= 0) {
    const [text, number] = real.preset.tiles[lacking];
    refuse(words["too many"], { tiles: session.count(number, text), given: number - left[lacking] });
  }
  return left.flatMap((number, type) => Array(number).fill(type));
}

/** The game of a desk as a position before all moves. @param {RealKit} real @param {Games} game */
const positionOf = ({ kit: { desk, about } }, game) => new Position(desk, about, game.rows.values.slice());
