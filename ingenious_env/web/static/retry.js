// Retrying one's marked moves of a game that is over: the position before each, at a table of its own; loaded on first use.

import { byId, h, put } from "../../render/static/dom.js";
import { textAt } from "./address.js";
import { isReader } from "./analysis.js";
import { post } from "./api.js";
import { app, emit, enqueue, explain, on, open, show, withHand } from "./store.js";
import { TEXTS } from "./play_texts.js";
import { amountText } from "./worth.js";

/** @import { Analysis, Turn } from "./types.js" */
/** @typedef {{ home: string, homeKeys: string, seats: string[], who: string[], turns: Turn[], near: number }} Game and its moves to retry */
/** @typedef {Game & { number: number, id: string, text: string }} Retried a move, the table, what is said of the attempt */

const WORDS = TEXTS.review;
const NEAR = 0.2; // of the least loss that is marked: as good as the best

/** what is retried at the table that is shown @type {Retried | null} */
let retrying = null;
/** the next one, whose table is not yet shown @type {Retried | null} */
let coming = null;
/** the keys of the tables made for this, by id: each is deleted once it is left @type {Map<string, string>} */
const made = new Map();

/** The marked moves of this page's seats that lay a tile, in order. @param {Analysis} found */
export const mistakes = (found) =>
  found.turns.filter(({ seat, mark, move }) => mark && app.table.yours.includes(seat) && app.game.laid(move));

/** Retry the mistakes of the game that is shown. @param {Analysis} found */
export function retry(found) {
  const { id, seats, names } = app.table;
  const who = names.map((name, seat) => (isReader(seat) ? "" : name));
  const near = NEAR * Math.min(...found.marks.map(([least]) => least));
  next({ home: id, homeKeys: app.keys, seats, who, turns: mistakes(found), near }, 0);
}

/** Go on to one of the mistakes, if the person has not gone elsewhere meanwhile. The address stays that of the game.
 * @param {Game} game @param {number} number of the mistake */
function next(game, number) {
  const [from, before] = [location.hash, retrying];
  const isLate = () => location.hash !== from || retrying !== before;
  enqueue(async () => {
    if (isLate()) return;
    const { home, homeKeys, seats, turns } = game;
    const turn = turns[number];
    const text = await textAt({ id: home, keys: homeKeys, at: turn.at });
    const people = seats.map((name, seat) => (seat === turn.seat ? "human" : name === "human" ? "greedy" : name));
    const { id, keys } = await post("tables", { text, seats: people });
    made.set(id, Object.values(keys).join(","));
    coming = { ...game, number, id, text: "" };
    try {
      if (!isLate()) await open(id, made.get(id));
    } finally {
      coming = null;
      tidy();
    }
  });
}

/** Delete the tables that are shown no more. */
function tidy() {
  for (const [id, keys] of made) {
    if ([app.table.id, coming?.id].includes(id)) continue;
    made.delete(id);
    post(`tables/${id}/delete`, { keys }).catch(() => {}); // it stays, and nobody knows its address
  }
}

/** Go back to the game. */
function leave() {
  if (!retrying) return;
  retrying = { ...retrying }; // another mistake that is on its way comes too late
  open(retrying.home, retrying.homeKeys).catch(explain);
}

on("table", () => {
  if (coming && app.table.id === coming.id) retrying = coming;
  if (!retrying) return;
  if (app.table.id !== retrying.id) retrying = null;
  app.trial = retrying && attempt;
  emit("hints");
  tidy();
  draw();
});

/** Judge an attempt instead of playing it. @param {string} move */
async function attempt(move) {
  if (!retrying) return;
  const { id, near, turns, number } = retrying;
  const [turn, { version }] = [turns[number], app.table];
  const found = await post(`tables/${id}/judge`, { keys: app.keys, version, move });
  if (retrying?.id !== id) return;
  const [name, loss] = [app.game.moveName(move), amountText(found.unit, found.loss)];
  if (found.loss < near) retrying.text = WORDS.best(name);
  else retrying.text = found.loss < turn.loss - near ? WORDS.better(name, loss) : WORDS.same(name, loss);
  withHand(() => app.game.drop());
  draw();
}

/** Show the best move, its tile at its place. */
async function showBest() {
  if (app.at !== null) await show(app.table.total);
  if (!retrying) return;
  const { best } = retrying.turns[retrying.number];
  if (app.game.laid(best)) withHand(() => app.game.take(app.table.scene, best));
  retrying.text = WORDS.solution(app.game.moveName(best));
  draw();
}

/** Draw what is asked, or what an attempt came to. */
function draw() {
  if (!retrying) return put(byId("guide"));
  const { turns, number, text, who } = retrying;
  const { seat, move } = turns[number];
  const go = () => retrying && next(retrying, number + 1);
  const asked = WORDS.ask(number + 1, turns.length, app.game.moveName(move), who[seat]);
  put(
    byId("guide"),
    h("span", { id: "retried" }, text || asked),
    h("button", { id: "retry-show", onclick: showBest }, WORDS.show),
    number < turns.length - 1 && h("button", { id: "retry-next", class: "go", onclick: go }, WORDS.next),
    h("button", { id: "retry-back", onclick: leave }, WORDS.back),
  );
}
