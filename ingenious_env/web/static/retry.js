// Retrying one's marked moves of a game that is over: the position before each, at a table of its own; loaded on first use.

import { byId, h, put } from "../../render/static/dom.js";
import { get, keep, post } from "./api.js";
import { app, explain, on, withHand } from "./store.js";
import { TEXTS } from "./play_texts.js";
import { amountText } from "./worth.js";

/** @import { Analysis, Turn } from "./types.js" */

const WORDS = TEXTS.review;
const NEAR = 0.2; // of the least loss that is marked: as good as the best

/** The moves that are retried, and what is said of the last attempt.
 * @type {{ home: string, homeKeys: string, seats: string[], turns: Turn[], near: number, number: number, id: string,
 *   text: string } | null} */
let retrying = null;

/** The marked moves of this page's seats that lay a tile, in order. @param {Analysis} found */
export const mistakes = (found) =>
  found.turns.filter(({ seat, mark, move }) => mark && app.table.yours.includes(seat) && app.game.laid(move));

/** Retry the mistakes of the game that is shown. @param {Analysis} found */
export function retry(found) {
  const { id, seats } = app.table;
  const near = NEAR * Math.min(...found.marks.map(([least]) => least));
  retrying = { home: id, homeKeys: app.keys, seats, turns: mistakes(found), near, number: -1, id: "", text: "" };
  app.trial = attempt;
  next();
}

/** Go on to the next mistake; after the last, back to the game. */
async function next() {
  if (!retrying) return;
  retrying.number += 1;
  const turn = retrying.turns[retrying.number];
  if (!turn) return leave();
  const { home, homeKeys, seats } = retrying;
  try {
    const text = await get(`tables/${home}/record`, { keys: homeKeys, at: turn.at });
    const people = seats.map((name, seat) => (seat === turn.seat ? "human" : name === "human" ? "greedy" : name));
    const made = await post("tables", { text, seats: people });
    const keys = Object.values(made.keys).join(",");
    keep(made.id, keys);
    Object.assign(retrying, { id: made.id, text: "" });
    location.hash = made.id;
  } catch (error) {
    explain(error);
  }
}

function leave() {
  if (retrying) location.hash = retrying.home;
  end();
}

function end() {
  retrying = null;
  app.trial = null;
  draw();
}

on("table", () => {
  if (!retrying) return;
  if (retrying.id && app.table.id !== retrying.id && app.table.id !== retrying.home) return end();
  draw();
});

/** Judge an attempt instead of playing it. @param {string} move */
async function attempt(move) {
  if (!retrying) return;
  const { near } = retrying;
  const { id, version } = app.table;
  const turn = retrying.turns[retrying.number];
  const found = await post(`tables/${id}/judge`, { keys: app.keys, version, move });
  if (!retrying || app.table.id !== id) return;
  const [name, loss] = [app.game.moveName(move), amountText(found.unit, found.loss)];
  if (found.loss < near) retrying.text = WORDS.best(name);
  else retrying.text = found.loss < turn.loss - near ? WORDS.better(name, loss) : WORDS.same(name, loss);
  withHand(() => app.game.drop());
  draw();
}

/** Show the best move, its tile at its place. */
function show() {
  if (!retrying) return;
  const { best } = retrying.turns[retrying.number];
  if (app.game.laid(best)) withHand(() => app.game.take(app.table.scene, best));
  retrying.text = WORDS.solution(app.game.moveName(best));
  draw();
}

/** Draw what is asked, or what an attempt came to. */
function draw() {
  if (!retrying || app.table.id !== retrying.id) return put(byId("guide"));
  const { turns, number, text } = retrying;
  const asked = WORDS.ask(number + 1, turns.length, app.game.moveName(turns[number].move));
  put(
    byId("guide"),
    h("span", { id: "retried" }, text || asked),
    h("button", { id: "retry-show", onclick: show }, WORDS.show),
    number < turns.length - 1 && h("button", { id: "retry-next", class: "go", onclick: next }, WORDS.next),
    h("button", { id: "retry-back", onclick: leave }, WORDS.back),
  );
}
