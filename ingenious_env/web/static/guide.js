// A guided first move: a tile, its place, what it scores; loaded on first use.

import { byId, h, put } from "../../render/static/dom.js";
import { post } from "./api.js";
import { app, mine, on, withHand } from "./store.js";
import { TEXTS } from "./play_texts.js";

const WORDS = TEXTS.guide;
const ADVISER = "greedy"; // whose reason a beginner sees: points

/** @typedef {"tile" | "place" | "placed" | "own" | ""} Step */

/** the table, the move that is shown, how far the player has come, and after how many moves of the game
 * @type {{ id: string, move: string, step: Step, total: number }} */
const guide = { id: "", move: "", step: "", total: 0 };

/** Guide through the first move at the table that is opened next. */
export function begin() {
  guide.id = "";
  guide.step = "tile";
}

on("table", follow);
on("hand", follow);

/** Go on with what the player has done. */
async function follow() {
  const { table } = app;
  if (!guide.step || !table) return;
  if (guide.step === "tile" && !guide.id) {
    if (!mine() || table.total > 0) return;
    guide.id = table.id;
    const body = { keys: app.keys, version: table.version, agent: ADVISER };
    const found = await post(`tables/${table.id}/advice`, body).catch(() => null);
    const first = found?.list.find((/** @type {any} */ { slot }) => slot !== undefined);
    if (!first || app.table.id !== guide.id) return end();
    guide.move = first.move;
  }
  const { id, total, over } = app.table;
  if (id !== guide.id || over || (guide.step === "own" && total > guide.total)) return end();
  if (!guide.move) return;
  if (total > 0 && guide.step !== "own") Object.assign(guide, { step: mine() ? "own" : "placed", total });
  draw();
}

function end() {
  Object.assign(guide, { id: "", move: "", step: "" });
  draw();
}

/** Put the tile where the move lays it. */
function show() {
  guide.step = "place";
  withHand(() => app.game.take(app.table.scene, guide.move));
}

/** Draw what is to be done now. */
function draw() {
  const { game, table } = app;
  for (const slot of document.querySelectorAll(".slot.guided")) slot.classList.remove("guided");
  if (!guide.step) return put(byId("guide"));
  const text = {
    tile: () => WORDS.tile(game.moveName(guide.move)),
    place: () => WORDS.place(game.placeText(table) || ""),
    placed: () => WORDS.placed,
    own: () => WORDS.own,
  }[guide.step]();
  if (guide.step === "tile") outline();
  put(
    byId("guide"),
    h("span", {}, text),
    guide.step === "tile" && h("button", { id: "guide-show", class: "go", onclick: show }, WORDS.show),
    h("button", { id: "guide-done", onclick: end }, guide.step === "own" ? WORDS.done : WORDS.skip),
  );
}

/** Outline the slot of the tile that the move lays. */
function outline() {
  const { game, table } = app;
  const before = game.hand;
  game.take(table.scene, guide.move);
  const slot = game.hand?.slot;
  game.hand = before;
  byId(`slot${slot}`)?.classList.add("guided");
}
