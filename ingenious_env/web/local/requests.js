// The requests of the page, answered on the page itself as the server answers them (see `web/app.py`, `web/offer.py`).

import { advised, judge } from "./agents.js";
import { compared, isCompared } from "./compared.js";
import { allGames, kitOf, prepare } from "./kits.js";
import { heldRoom, leave, newRoom, roomOf } from "./held.js";
import { Refusal } from "./refusal.js";
import { within } from "./room.js";
import { BadText, Session, linesOf, readRecord } from "./session.js";
import { remove } from "./tables.js";
import { HUMAN, Table } from "./table.js";
import { LOCAL } from "./texts.js";
import { advice } from "./thinking.js";

/** @import { Room } from "./room.js" */
/** @import { Kit } from "./session.js" */
/** @import { QuickFacts } from "./types.js" */
/** @typedef {{ status: number, body: any }} Answer */

/** @returns {string} */
const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const freshSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0];

/** the preset that the dialog of a new game chooses first */
const FIRST = "two";

/** the requests that change no table */
const READING = new Set(["show", "stop", "record", "position", "replay"]);

/** The answer to a request. @param {string} path @param {Record<string, any>} content of its query or its body
 * @param {AbortSignal} [signal] that it is no longer waited for @returns {Promise<Answer>} */
export async function answer(path, content, signal) {
  const [first, id, what = "show"] = path.split("/");
  try {
    const [handlers, name] = id === undefined ? [general, first] : [tables, what];
    if (!Object.hasOwn(handlers, name)) throw new Refusal(404, LOCAL.nothing);
    if (id === undefined) return { status: 200, body: await general[first](content) };
    return await tables[what](await (READING.has(what) ? roomOf : heldRoom)(id), content, signal);
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.message } };
    if (error instanceof BadText) return { status: 422, body: { error: error.message } };
    throw error;
  }
}

// Games.

/** What games at real tables need. */
const realTables = () => import("./real.js");

/** The preset with these rules. @param {string} game @param {string} rules @returns {Promise<Kit>} */
async function kitFor(game, rules) {
  const about = (await allGames()).find((each) => each.game === game);
  if (!about) throw new Refusal(422, LOCAL.noGame(game));
  const preset = Object.entries(about.presets).find(([, each]) => each.rules === rules);
  if (!preset) throw new Refusal(422, LOCAL.noRules(about.title, rules));
  return kitOf(game, preset[0]);
}

/** Positions as text, and games that begin with one. */
const positions = () => import("./positions.js");

/** The game of a record, with its moves played, or one that begins with a position. @param {string} text */
async function opened(text) {
  const games = await allGames();
  const [first = ""] = linesOf(text);
  const named = games.find(({ game }) => game === first.split(" ")[0]);
  if (named) return (await positions()).opened(text, (rules) => kitFor(named.game, rules));
  const about = games.find((each) => each.record === first);
  if (!about) {
    const [records, names] = [games.map((each) => each.record), games.map(({ game }) => game)];
    throw new Refusal(422, LOCAL.noRecord(records, names, text.slice(0, 40)));
  }
  const record = readRecord(text);
  const session = Session.dealt(await kitFor(about.game, record.rules), record.seed[0], record.seed[1]);
  for (const move of record.moves) session.play(session.action(session.now, move));
  return session;
}

/** @type {Record<string, (content: any) => Promise<any>>} */
const general = {
  games: async () => {
    const found = await allGames();
    prepare(found[0].game, FIRST); // while the visitor looks at the dialog
    const games = found.map(({ game, title, presets, agents, levels, level }) => ({
      game,
      title,
      presets,
      agents,
      levels,
      level,
    }));
    return { games };
  },
  look: async ({ game, rules }) => (await kitFor(game, rules)).desk.variant.facts.look,
  deal: async ({ game, rules }) => (await realTables()).dealOf(await kitFor(game, rules)),
  read: async ({ text }) => {
    const session = await opened(text);
    const { facts, about, isOver } = session.now;
    const { rules, players, look } = facts;
    const { sheets, agents } = look;
    return { game: about.game, rules, players, sheets, moves: session.turns.length, over: isOver, agents };
  },
  tables: async (content) => {
    const table = await tableOf(content);
    newRoom(table).resume();
    const keys = table.keys.flatMap((key, seat) => (key ? [[String(seat), key]] : []));
    return { id: table.id, keys: Object.fromEntries(keys) };
  },
};

/** The table that a page asks for. @param {any} content @returns {Promise<Table>} */
async function tableOf({ game, rules, seats, seed, text, real }) {
  const kit = text === undefined ? await kitFor(game, rules) : null;
  if (kit && real !== undefined) return (await realTables()).realTable(kit, real, freshKey);
  const session = kit ? Session.dealt(kit, seed === undefined ? freshSeed() : BigInt(seed)) : await opened(text);
  check(seats, session);
  const keys = seats.map((/** @type {string} */ seat) => (seat === HUMAN ? freshKey() : ""));
  return new Table(freshKey(), session, seats, keys);
}

/** Refuse seats that cannot be filled. @param {string[]} seats @param {Session} session */
function check(seats, session) {
  const { players, look } = session.now.facts;
  if (seats.length !== players) throw new Refusal(422, LOCAL.seats(players, seats.length));
  const known = [HUMAN, ...look.agents];
  const unknown = seats.find((seat) => !known.includes(seat));
  if (unknown !== undefined) throw new Refusal(422, LOCAL.noSeat(known.join(", "), unknown));
}

// Tables.

/** The seats of a page; refused for one that has none where people play. @param {Room} room @param {string} keys */
function seatsOf({ table }, keys) {
  const seats = table.ownSeats(keys);
  if (!seats.length && table.seats.includes(HUMAN)) throw new Refusal(403, LOCAL.otherSeat);
  return seats;
}

/** A number of a query; null if it is not given. @param {any} value */
function numberOf(value) {
  if (value === null || value === undefined) return null;
  if (!/^\d{1,5}$/.test(String(value))) throw new Refusal(422, LOCAL.noNumber(value));
  return Number(value);
}

/** @param {Room} room @param {number[]} seats @param {number | null} [at] */
function state(room, seats, at = null) {
  const found = room.table.state(seats, at);
  if (!found) throw new Refusal(422, LOCAL.noMoves(at));
  return { ...found, thinking: room.isThinking };
}

/** The number of turns up to which a table is to be written as text; refused while that would reveal hidden tiles.
 * @param {Room} room @param {"record" | "position" | "replay"} what @param {{ keys?: string, at?: any }} content */
function openTurns(room, what, { keys = "", at }) {
  seatsOf(room, keys);
  room.table.checkOpen(what);
  const turns = room.table.turnsAt(null, numberOf(at) ?? undefined);
  if (turns === undefined) throw new Refusal(422, LOCAL.noMoves(at));
  return turns;
}

/** @param {Room} room */
function markHints(room) {
  const { table } = room;
  if (table.hints || !table.seats.includes(HUMAN)) return;
  table.hints = true;
  room.save();
}

/** The position that a page wants advice on, and the action played there, if it was; null if the page does not show the
 * latest state. @param {Table} table @param {number[]} seats @param {number} version @param {number | null} at */
function advisedPosition(table, seats, version, at) {
  if (at === null) return table.isToMove(seats, version) ? { position: table.session.now, played: null } : null;
  if (!table.isOpen) throw new Refusal(409, LOCAL.notOver);
  if (table.seats.includes(HUMAN) && !table.isCurrent(seats, version)) return null;
  const found = table.reviewed(table.seatShown(seats), at);
  if (!found) throw new Refusal(422, LOCAL.noMoves(at));
  if (found.position.isOver) throw new Refusal(422, LOCAL.over);
  return found;
}

/** @type {Record<string, (room: Room, content: any, signal?: AbortSignal) => Promise<Answer>>} */
const tables = {
  show: async (room, { keys = "", at }) => ({ status: 200, body: state(room, seatsOf(room, keys), numberOf(at)) }),
  move: async (room, { keys, version, move, tiles }) => {
    const { table } = room;
    const seats = seatsOf(room, keys);
    if (!table.isToMove(seats, version)) return { status: 409, body: state(room, seats) };
    table.move(move, tiles);
    const body = state(room, seats);
    room.changed();
    room.resume();
    return { status: 200, body: { ...body, thinking: room.isThinking } };
  },
  draws: async (room, { keys, version, move }) => {
    const { table } = room;
    const seats = seatsOf(room, keys);
    if (!table.isToMove(seats, version)) return { status: 409, body: state(room, seats) };
    return { status: 200, body: table.draws(move) };
  },
  back: async (room, { keys, version, allow }) => {
    const { table } = room;
    const seats = seatsOf(room, keys);
    if (!table.isCurrent(seats, version)) return { status: 409, body: state(room, seats) };
    if (allow !== undefined) throw new Refusal(422, LOCAL.notAsked);
    if (!table.takeBack(seats)) throw new Refusal(422, LOCAL.noMove);
    const body = state(room, seats);
    room.changed();
    room.resume();
    return { status: 200, body: { ...body, thinking: room.isThinking } };
  },
  delete: async (room, { keys }) => {
    const { id, keys: all } = room.table;
    if (seatsOf(room, keys).length < all.filter(Boolean).length) throw new Refusal(403, LOCAL.others);
    room.close();
    remove(id);
    leave(id);
    return { status: 200, body: { deleted: true } };
  },
  stop: async (room, { keys }) => {
    seatsOf(room, keys);
    return { status: 200, body: { stopped: room.stop() } };
  },
  advice: async (room, { keys, version, agent, at: given }, signal) => {
    const { table } = room;
    const seats = seatsOf(room, keys);
    const policy = table.session.now.facts.look.agents.includes(agent) && table.about.policies[agent];
    if (!policy) throw new Refusal(422, LOCAL.noAgent(agent));
    const at = numberOf(given);
    const wanted = advisedPosition(table, seats, version, at);
    if (!wanted) return { status: 409, body: state(room, seats) };
    const [{ session }, { position, played }] = [table, wanted];
    table.checkAdvised(position);
    if (room.advising) room.advising.isStopped = true;
    const values = await within(table.about.longest, (stop) => {
      signal?.addEventListener("abort", () => (stop.isStopped = true));
      stop.isStopped = Boolean(signal?.aborted);
      if (at === null) room.advising = stop;
      return advice(policy, session.kit, position, stop);
    });
    const found = advised(policy, session, position, values, played);
    if (at === null) markHints(room);
    return { status: 200, body: { ...found, version, agent, ...(at !== null && { at }) } };
  },
  judge: async (room, { keys, version, move }) => {
    const { table } = room;
    const seats = seatsOf(room, keys);
    table.checkJudged();
    if (!table.isToMove(seats, version)) return { status: 409, body: state(room, seats) };
    const position = table.session.now;
    const action = table.session.action(position, move);
    table.session.after(position, action); // throws if it is illegal
    const judging = /** @type {QuickFacts} */ (table.about.policies[table.about.judge]);
    const { best, loss, unit, mark } = judge(judging, position, action);
    markHints(room);
    return { status: 200, body: { move, best: table.session.text(position, best), loss, unit, mark } };
  },
  analysis: async (room, { keys }) => {
    const { table } = room;
    const seats = seatsOf(room, keys);
    table.checkJudged();
    const body = await room.analysis.of(table.seatShown(seats));
    if (!table.isOver) markHints(room);
    return { status: 200, body };
  },
  compared: async (room, { keys }) => {
    seatsOf(room, keys);
    if (!isCompared(room.table)) throw new Refusal(409, LOCAL.notCompared);
    return { status: 200, body: await compared(room.table) };
  },
  record: async (room, content) => {
    const turns = openTurns(room, "record", content);
    return { status: 200, body: room.table.session.record(turns) };
  },
  position: async (room, content) => {
    const { session } = room.table;
    const turns = openTurns(room, "position", content);
    return { status: 200, body: await (await positions()).textOf(session.at(turns), session.kit) };
  },
  replay: async (room, content) => {
    openTurns(room, "replay", content);
    const { replayStates } = await import("./replay.js");
    return { status: 200, body: { states: replayStates(room.table) } };
  },
};
