// The store: what the page knows of its table, and what changes that. Views are told of changes.

import { Refused, get, keep, keysByTable, listen, post, reasonOf } from "./api.js";
import { settings } from "./settings.js";

/** @import { NewTable, State, Table } from "./types.js" */

/** @type {State} */
export const app = {
  table: /** @type {any} */ (null),
  game: /** @type {any} */ (null),
  at: null,
  keys: "",
  source: null,
  looks: "",
  about: { title: "", example: "", choices: {}, agents: [] },
  problem: "",
  compiling: false,
  silent: false,
  hints: null,
  shownTo: null,
  speed: 0,
};

/** What views do at each change: to the look of the game, the table, the tile in hand, what is said, the speed of the
 * replay, hints being on, advice and analyses; after a move; before a bad mistake; if the first table cannot be made.
 * @type {Record<string, ((...content: any[]) => void)[]>} */
const views = { look: [], table: [], hand: [], said: [], speed: [], hints: [], advice: [], moved: [], mistake: [], unmade: [] };

/** @param {string} change @param {(...content: any[]) => void} view */
export const on = (change, view) => void views[change].push(view);

/** @param {string} change @param {...any} content */
export const tell = (change, ...content) => views[change].forEach((view) => view(...content));

let timer = 0;
let queue = Promise.resolve();
let told = "";
/** how many states have been asked for, and the latest of these that has been taken for the present one */
let [asked, taken] = [0, 0];
/** news since the position was last asked for, while it is on its way */
let heard = 0;
/** whether a position is on its way that `show` has asked for */
let seeking = false;

/** Whether the rack is covered, for another person to sit down. */
export const isCovered = () => app.table.yours.length > 1 && !app.table.over && app.shownTo !== app.table.seat;

/** Whether this page is to make a move now. */
export const mine = () =>
  Boolean(app.table && app.at === null && !app.table.over && app.table.yours.includes(app.table.to_play) && !isCovered());

// Going to a table.

/** @param {string} id */
export async function open(id) {
  const keys = keysByTable()[id] || "";
  const order = ++asked;
  const table = await get(`tables/${id}`, { keys });
  const [look, { Game }] = await Promise.all([lookOf(table), import(`../../games/${table.game}/page/game.js`)]);
  if (location.hash !== `#${id}`) return; // yet another one has been opened since
  app.source?.close();
  Object.assign(app, { keys, at: null, shownTo: null });
  setSpeed(0);
  if (app.hints) app.hints.found = null;
  if (look) {
    app.game = new Game(look);
    app.looks = variant(table);
    app.about = look;
    tell("look", look);
  }
  accept(table, order, true);
  app.source = listen(id, keys, {
    state: (content) => content.version === app.table.version && !app.table.thinking && !app.silent ? null : hear(),
    thinking: hear,
    compiling: (content) => { app.compiling = content.now; tell("table"); },
    failed: (content) => complain(content.error),
  });
}

/** @param {Table} table */
const variant = (table) => `${table.game} ${table.rules}`;

/** What stays the same in a variant; null if that is what the page has. @param {Table} table */
const lookOf = async (table) => (app.looks === variant(table) ? null : post("look", { game: table.game, rules: table.rules }));

/** Take a state for the present one. @param {number} order of its request among those for states
 * @param {Table} table @param {boolean} [other] whether it may be another table's */
function accept(table, order, other = false) {
  if (!other && order < taken) return; // the answer to a later request has overtaken it
  const before = app.table;
  if (before && before.id !== table.id && !other) return; // the answer to something that was asked at the table before
  if (before && before.id === table.id && table.version < before.version) return; // answers may overtake each other
  if (table.at !== (app.at ?? table.total)) return; // another position is wanted by now
  taken = order;
  const text = JSON.stringify(table);
  if (text === told && !app.problem) return; // the news of a move that its answer has told of
  told = text;
  app.table = table;
  Object.assign(app, { problem: "", silent: false });
  if (!before || before.id !== table.id || before.version !== table.version || before.seat !== table.seat) app.game.drop();
  if (before && before.id === table.id && table.total > before.total && app.at === null) tell("moved", table);
  tell("table");
}

/** Ask for the position that is shown, or for the latest one if its move has been taken back. */
async function refresh() {
  const { at } = app;
  const order = ++asked;
  try {
    const table = await get(`tables/${app.table.id}`, { keys: app.keys, at });
    if (app.at === at) accept(table, order);
  } catch (error) {
    if (at === null || !(error instanceof Refused) || error.status !== 422) throw error;
    if (app.at === at) app.at = null;
    await refresh();
  }
}

/** Ask for the position after news; once more for all news that come while the answer is on its way. */
async function hear() {
  heard += 1;
  if (heard > 1) return;
  try {
    let known;
    do {
      known = heard;
      await refresh();
    } while (heard !== known);
  } catch (error) {
    explain(error);
  } finally {
    heard = 0;
  }
}

/** @param {string} text */
export function complain(text) {
  Object.assign(app, { problem: text, silent: false });
  tell("said");
}

// What the page can do.

/** Ask the server once earlier requests are answered; refusals are shown. News can show the next turn before the answer
 * to a move has come, so a quick next move waits. @param {() => Promise<any>} request */
export function doing(request) {
  queue = queue.then(request).catch(explain);
  return queue;
}

/** Say why the server has not done something. @param {any} error */
export function explain(error) {
  if (error instanceof Refused && error.status === 409 && error.body?.version !== undefined) {
    accept(error.body, ++asked);
    complain("something has happened meanwhile; look again");
  } else complain(reasonOf(error));
  app.silent = !(error instanceof Refused);
}

/** Play a move, if it is this page's turn; whether it is. @param {string | null} move in the game's notation
 * @param {boolean} [sure] even if it is a bad mistake */
export function play(move, sure = !settings.warn) {
  if (!move || !mine()) return false;
  const [{ id, version, judge }, { keys }] = [app.table, app];
  const isLate = () => app.table.id !== id || app.table.version !== version || (app.at === null && !mine());
  doing(async () => {
    if (isLate()) return; // the second half of a double click
    if (!sure && judge) {
      const found = await post(`tables/${id}/judge`, { keys, version, move });
      if (isLate()) return;
      if (found.mark === "??") return tell("mistake", found, () => play(move, true));
    }
    const order = ++asked;
    accept(await post(`tables/${id}/move`, { keys, version, move }), order);
  });
  return true;
}

export function takeBack() {
  const { id } = app.table;
  doing(async () => {
    if (app.table.id !== id) return;
    const order = ++asked;
    const table = await post(`tables/${id}/back`, { keys: app.keys, version: app.table.version });
    if (app.table.id !== id) return;
    app.at = null;
    accept(table, order);
  });
}

export function stopThinking() {
  const [{ id }, { keys }] = [app.table, app];
  doing(() => post(`tables/${id}/stop`, { keys }));
}

/** Play the game back from the move that is shown, or stop that. @param {number} speed */
export function setSpeed(speed) {
  clearInterval(timer);
  app.speed = speed;
  if (!speed) return tell("speed");
  if (app.at === null) show(0);
  timer = setInterval(() => {
    if (app.at === null) setSpeed(0);
    else show(app.at + 1);
  }, 1000 / speed);
  tell("speed");
}

/** Show the position after a number of moves; of several asked for quickly, as by the slider, the last is reached.
 * @param {number} at */
export async function show(at) {
  const total = app.table.total;
  const wanted = Math.max(0, Math.min(total, at));
  app.at = wanted === total ? null : wanted;
  app.game.drop();
  if (seeking) return;
  seeking = true;
  try {
    let shown;
    do {
      shown = app.at;
      await refresh();
    } while (app.at !== shown);
  } catch (error) {
    explain(error);
  } finally {
    seeking = false;
  }
}

/** @param {NewTable} choice what to play */
export async function create(choice) {
  const from = location.hash;
  await doing(async () => {
    if (location.hash !== from) return;
    const made = await post("tables", choice).catch((error) => {
      if (app.table || !(error instanceof Refused)) throw error;
      tell("unmade", error.message); // there is no table yet to say it at
    });
    if (!made) return;
    keep(made.id, Object.values(made.keys).join(","));
    if (location.hash === from) location.hash = made.id;
  });
}

/** Place the tile in hand. */
export function placeHand() {
  play(app.game.moveText(app.table.scene));
}

/** Change the tile in hand, and draw what depends on it. @param {() => void} change */
export function withHand(change) {
  if (!mine()) return;
  change();
  tell("hand");
}

/** Show the rack to the person who sits down. */
export function uncover() {
  app.shownTo = app.table.seat;
  tell("table");
}
