// The analysis in the store: the chances during the game, and the moves that lost some.

import { Refused, post } from "./api.js";
import { app, emit, isAnalysed, show } from "./store.js";

/** @import { Analysis, Point } from "./types.js" */

/** the last analysis received @type {{ id: string, version: number, over: boolean, found: Analysis } | null} */
let known = null;
/** the table and state of the pending request */
let asked = "";

/** The analysis of the table that is shown, for the person that it is shown to. @returns {Analysis | null} */
export function current() {
  if (!known || !isAnalysed() || known.id !== app.table.id) return null;
  const { over, seat } = app.table;
  const isOwn = over || seat === null || known.found.turns.every((turn) => turn.seat === seat);
  return isOwn ? known.found : null;
}

/** Request a new analysis if the table has changed. */
export function analyse() {
  if (!isAnalysed()) return;
  const { id, version, over } = app.table;
  if (known && known.id === id && known.version === version && known.over === over) return;
  const state = `${id} ${version} ${over}`;
  if (asked === state) return;
  asked = state;
  post(`tables/${id}/analysis`, { keys: app.keys }).then(
    (found) => {
      if (asked !== state) return; // a later state has been requested
      known = { id, version, over, found };
      asked = "";
      emit("advice");
    },
    (error) => {
      if (asked === state && !(error instanceof Refused)) asked = ""; // to be tried again
    },
  );
}

/** Whether a seat is the reader's: of several people at a page none is, nor of those that look on. @param {number} seat */
export const isReader = (seat) => app.table.yours.length === 1 && app.table.yours[0] === seat;

/** The seat whose chances are shown: the reader's or, while the game goes on, that of the person it is shown to. */
export const ownSeat = () => {
  const { yours, over, seat } = app.table;
  return yours.length === 1 ? yours[0] : over ? 0 : (seat ?? 0);
};

/** The sheet of that seat. */
export const ownSheet = () => (app.game.look.sheets ? app.game.look.sheets[ownSeat()] : ownSeat());

/** The value of the position in which this page is to move, if the judge has given hints on it. @param {Analysis} found */
function valueNow(found) {
  const hints = app.hints && app.hints.agent === app.table.judge && app.hints.found;
  return hints && hints.at === undefined && hints.version === app.table.version && hints.calibrated === found.calibrated
    ? hints.list[0].value
    : null;
}

/** The values of all sheets before each number of moves: each by its own latest move, of two sheets the other has the
 * rest, and those of more are scaled to sum to 1 where all are known. @param {Analysis} found @returns {Point[]} */
export function series(found) {
  const count = app.table.scene.scores.length;
  const all = new Set(found.turns.map((turn) => turn.sheet)).size === count;
  const latest = Array(count).fill(1 / count);
  /** @type {Point[]} */
  const points = found.turns.map((turn) => {
    latest[turn.sheet] = turn.value;
    if (found.unit === "win" && count === 2) latest[1 - turn.sheet] = 1 - turn.value;
    const sum = found.unit === "win" && count > 2 && all ? latest.reduce((one, other) => one + other, 0) : 1;
    return { at: turn.at, values: latest.map((value) => value / sum), turn };
  });
  const now = valueNow(found);
  if (found.results) points.push({ at: app.table.total, values: found.results, turn: null });
  else if (now !== null)
    points.push({
      at: app.table.total,
      values: latest.map((value, sheet) => (sheet === ownSheet() ? now : value)),
      turn: null,
    });
  return points;
}

/** The judgement of the move that led to the position that is shown, if it is marked. @param {Analysis | null} found */
export function marked(found) {
  const at = app.at ?? app.table.total;
  return found && found.turns.filter((each) => each.at === at - 1 && each.mark).pop();
}

/** The move that would have been better than the one that led to the position that is shown. @returns {string | null} */
export const betterMove = () => marked(current())?.best ?? null;

/** Go to the position after the next marked move; after the last, to the first. */
export function nextMistake() {
  const found = current();
  const moves = found ? found.turns.filter((turn) => turn.mark).map((turn) => turn.at + 1) : [];
  if (!moves.length) return;
  const at = app.at ?? -1;
  show(moves.find((move) => move > at) ?? moves[0]);
}
