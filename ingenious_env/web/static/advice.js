// Hints in the store: whether they are on, and an agent's values of the moves.

import { post } from "./api.js";
import { app, emit, explain, isOthers, mine } from "./store.js";

/** @import { Advice, Hint, Played } from "./types.js" */

/** the question of the pending request, and what ends that @type {{ wanted: string, ending: AbortController } | null} */
let pending = null;
/** the question that the hints at hand answer */
let answered = "";

/** Turn hints on or off. */
export function switchHints() {
  if (!advisers().length) return;
  app.hints = app.hints ? null : { agent: adviser(), found: null, row: 0 };
  emit("hints");
  ask();
}

/** The agents that play this table, the network first. */
export function advisers() {
  const found = [...app.about.advisers];
  return found.sort((one, other) => Number(other === "value") - Number(one === "value"));
}

function adviser() {
  const found = advisers();
  return app.hints && found.includes(app.hints.agent) ? app.hints.agent : found[0];
}

/** Whether the position that is shown is open to all, and has a next move: of a game that is over, or of agents. */
export function isReviewed() {
  const { over, yours, terminal, real, to_play: toPlay } = app.table;
  return (over || !yours.length) && !terminal && !app.paced && !(real && real.seat !== toPlay);
}

/** The question that hints answer in the position that is shown, as text; "" where there are none. */
function question() {
  if (!app.hints) return "";
  const { id, version, at, yours } = app.table;
  if (isReviewed()) return JSON.stringify([id, adviser(), yours.length && version, at]); // agents take nothing back
  return mine() && !isOthers() ? JSON.stringify([id, adviser(), version]) : "";
}

/** Whether there are hints on the position that is shown, or will be. */
export const isAsked = () => question() !== "";

/** Request hints, if there are some on the position that is shown; of several quick requests, as by the slider, the last
 * counts. */
export async function ask() {
  if (app.hints && answered !== question()) app.hints.found = null;
  emit("advice");
  if (pending) {
    if (pending.wanted !== question()) pending.ending.abort();
    return;
  }
  while (app.hints && !app.hints.found && isAsked()) {
    const [{ id, version, at }, wanted, agent, ending] = [app.table, question(), adviser(), new AbortController()];
    app.hints.agent = agent;
    pending = { wanted, ending };
    const body = { keys: app.keys, version, agent, ...(isReviewed() && { at }) };
    const found = await post(`tables/${id}/advice`, body, ending.signal).catch((error) => error);
    pending = null;
    if (ending.signal.aborted || question() !== wanted) continue;
    if (found instanceof Error) return explain(found);
    answered = wanted;
    Object.assign(app.hints, { found, row: 0 });
    emit("advice");
  }
}

/** Use another agent for hints. @param {string} agent */
export function choose(agent) {
  if (!app.hints) return;
  app.hints.agent = agent;
  ask();
}

/** The rows of a list: the best moves, and after them the one that was played, if it is not among them.
 * @param {Advice} found @returns {(Hint | Played)[]} */
export const rowsOf = ({ list, played }) =>
  played && (played.rank === null || played.rank >= list.length) ? [...list, played] : list;

/** Draw the move of a row on the board. @param {number} row */
export function drawRow(row) {
  if (app.hints) app.hints.row = row;
  emit("advice");
}

/** The move of the list that is drawn on the board of a review, at first the best one. @returns {string | null} */
export const drawnMove = () =>
  app.hints?.found && isReviewed() && answered === question() ? rowsOf(app.hints.found)[app.hints.row].move : null;
