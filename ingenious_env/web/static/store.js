// The store: the state of the page, and the actions that change it. Views are notified of changes.

import { Refused, get, keysByTable, listen, post, reasonOf } from "./api.js";
import { isPaced, settings } from "./settings.js";
import { TEXTS } from "./texts.js";

/** @import { State, Table } from "./types.js" */

/** @type {State} */
export const app = {
  table: /** @type {any} */ (null),
  game: /** @type {any} */ (null),
  at: null,
  keys: "",
  address: "",
  source: null,
  looks: "",
  about: { title: "", example: "", choices: {}, agents: [], advisers: [] },
  problem: "",
  compiling: false,
  silent: false,
  hints: null,
  shownTo: null,
  trial: null,
  speed: 0,
  paced: false,
};

/** Views by change: of the look of the game, the table, the tile in hand, the message, the speed of the replay, hints
 * being on, advice and analyses; after a move; before a bad mistake; if the first table cannot be created; of a move at a real table.
 * @type {Record<string, ((...content: any[]) => void)[]>} */
const views = {
  look: [],
  table: [],
  hand: [],
  message: [],
  speed: [],
  hints: [],
  advice: [],
  moved: [],
  mistake: [],
  notCreated: [],
  entered: [],
};

/** @param {string} change @param {(...content: any[]) => void} view */
export const on = (change, view) => void views[change].push(view);

/** @param {string} change @param {...any} content */
export const emit = (change, ...content) => views[change].forEach((view) => view(...content));

const PACE = 700; // milliseconds between moves of others
/** the timer of the next of these moves; 0 while there is none */
let pace = 0;
let queue = Promise.resolve();
let lastText = "";
/** the number of states requested, and the latest of these that was accepted */
let [asked, taken] = [0, 0];
/** events since the pending request for the position */
let numNews = 0;
/** whether a request of `show` is pending */
let seeking = false;

/** Whether the rack is covered, for another person to sit down. */
export const isCovered = () => app.table.yours.length > 1 && !app.table.over && app.shownTo !== app.table.seat;

/** Whether this page is to make a move now. */
export const mine = () =>
  Boolean(
    app.table &&
    app.at === null &&
    app.table.at === app.table.total && // else the latest position is requested
    !app.table.over &&
    (app.table.real || app.table.yours.includes(app.table.to_play)) &&
    !isCovered(),
  );

/** Whether the next move to enter is another player's, at a real table. */
export const isOthers = () => Boolean(app.table.real && app.table.to_play !== app.table.real.seat);

/** Whether this page shows an analysis: with hints, unless the rack is covered, and of games that are over. */
export const isAnalysed = () => {
  const { table, hints } = app;
  return Boolean(
    table && table.total > 0 && table.judge && (hints || table.over || !table.yours.length) && !isCovered(),
  );
};

// Going to a table.

/** @param {string} id @param {string} [keys] of the seats at it; by default those that the browser keeps */
export async function open(id, keys = keysByTable()[id] || "") {
  const from = location.hash;
  const order = ++asked;
  const table = await get(`tables/${id}`, { keys });
  const [look, { Game }] = await Promise.all([lookOf(table), import(`../../games/${table.game}/page/game.js`)]);
  if (location.hash !== from) return; // yet another one has been opened since
  app.source?.close();
  Object.assign(app, { keys, address: from, at: null, shownTo: null, paced: false, speed: 0 });
  if (look) {
    Object.assign(app, { game: new Game(look), looks: variant(table), about: look });
    emit("look", look);
  }
  if (app.hints) app.hints = app.about.advisers.length ? { ...app.hints, found: null } : null;
  lastText = ""; // the same state is drawn anew: what is shown of it has changed
  accept(table, order, true);
  app.source = listen(id, keys, {
    state: (content) => (content.version === app.table.version && !app.table.thinking && !app.silent ? null : onNews()),
    thinking: onNews,
    compiling: (content) => ((app.compiling = content.now), emit("table")),
    failed: (content) => showProblem(content.error),
  });
}

/** @param {Table} table */
const variant = (table) => `${table.game} ${table.rules}`;

/** The constant part of a variant; null if the page has it. @param {Table} table */
const lookOf = async (table) =>
  app.looks === variant(table) ? null : post("look", { game: table.game, rules: table.rules });

/** Accept a state as the current one. @param {number} order of its request among those for states
 * @param {Table} table @param {boolean} [other] whether it may be another table's */
function accept(table, order, other = false) {
  if (!other && order < taken) return; // a later answer came first
  const before = app.table;
  const isSameTable = before?.id === table.id;
  if (before && !isSameTable && !other) return; // an answer for the previous table
  if (isSameTable && table.version < before.version) return void (other && emit("table")); // answers may arrive out of order
  if (table.at !== (app.at ?? table.total)) return; // another position is requested now
  taken = order;
  const text = JSON.stringify(table);
  if (text === lastText && !app.problem) return; // the event of a move after its answer
  lastText = text;
  app.table = table;
  Object.assign(app, { problem: "", silent: false });
  if (!isSameTable || before.version !== table.version || before.seat !== table.seat || before.at !== table.at)
    app.game.drop();
  if (!isSameTable) return emit("table");
  if (app.at === null && !app.paced && isPaced()) {
    const first = before.total + Number(before.yours.includes(before.to_play)); // an own move was shown before
    if (first < table.total && table.yours.length && !table.real) {
      app.paced = true;
      return seek(first);
    }
  }
  const isNew = app.paced ? table.at > before.at : app.at === null && table.total > before.total;
  if (app.at === null) app.paced = false;
  if (isNew) emit("moved", table);
  emit("table");
  if (app.paced) pace ||= setTimeout(() => ((pace = 0), app.paced && seek((app.at ?? table.total) + 1)), PACE);
}

/** Request the position that is shown, or the latest one if its move has been taken back. */
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

/** Request the position after an event; once more for all events during the request. */
async function onNews() {
  numNews += 1;
  if (numNews > 1) return;
  try {
    let known;
    do {
      known = numNews;
      await refresh();
    } while (numNews !== known);
  } catch (error) {
    explain(error);
  } finally {
    numNews = 0;
  }
}

/** @param {string} text */
export function showProblem(text) {
  Object.assign(app, { problem: text, silent: false });
  emit("message");
}

// Actions.

/** Send a request after earlier ones are answered; refusals are shown. An event can show the next turn before the answer
 * to a move has come, so a quick next move waits. @param {() => Promise<any>} request */
export function enqueue(request) {
  queue = queue.then(request).catch(explain);
  return queue;
}

/** Show why a request failed. @param {any} error */
export function explain(error) {
  if (error instanceof Refused && error.status === 409 && error.body?.version !== undefined) {
    accept(error.body, ++asked);
    showProblem(TEXTS.changed);
  } else showProblem(reasonOf(error));
  app.silent = !(error instanceof Refused);
}

/** Play a move, if it is this page's turn; whether it is. @param {string | null} move in the game's notation
 * @param {boolean} [sure] even if it is a bad mistake
 * @param {string[] | null} [tiles] at a real table, those drawn after it or shown with it; null if they are not known */
export function play(move, sure = !settings.warn, tiles = null) {
  if (!move || !mine()) return false;
  if (app.table.real && !tiles) {
    emit("entered", move);
    return true;
  }
  if (app.trial) {
    const { trial } = app;
    enqueue(() => trial(move));
    return true;
  }
  const [{ id, version, judge }, { keys }] = [app.table, app];
  const isLate = () => app.table.id !== id || app.table.version !== version || (app.at === null && !mine());
  enqueue(async () => {
    if (isLate()) return; // the second half of a double click
    if (!sure && judge) {
      const found = await post(`tables/${id}/judge`, { keys, version, move });
      if (isLate()) return;
      if (found.mark === "??") return emit("mistake", found, () => play(move, true));
    }
    const order = ++asked;
    accept(await post(`tables/${id}/move`, { keys, version, move, ...(tiles && { tiles }) }), order);
  });
  return true;
}

/** @param {boolean} [allow] */
export function takeBack(allow) {
  const { id } = app.table;
  enqueue(async () => {
    if (app.trial || app.table.id !== id) return;
    const order = ++asked;
    const table = await post(`tables/${id}/back`, { keys: app.keys, version: app.table.version, allow });
    if (app.table.id !== id) return;
    app.at = null;
    accept(table, order);
  });
}

export function stopThinking() {
  const [{ id }, { keys }] = [app.table, app];
  enqueue(() => post(`tables/${id}/stop`, { keys }));
}

/** Show the position after a number of moves. @param {number} at */
export function show(at) {
  app.paced = false;
  return seek(at);
}

/** Request the position after a number of moves; of several quick requests, as by the slider, the last counts.
 * @param {number} at */
async function seek(at) {
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

export const placeHand = () => void play(app.game.moveText(app.table.scene));

/** Change the tile in hand, and draw what depends on it. @param {() => void} change */
export function withHand(change) {
  if (!mine()) return;
  change();
  emit("hand");
}

/** Show the rack to the next person. */
export function uncover() {
  app.shownTo = app.table.seat;
  emit("table");
}
