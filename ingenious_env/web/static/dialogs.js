// Dialogs: a new game, and sharing one.

import { Refused } from "./api.js";
import { byId, h, put } from "./dom.js";
import { app, create } from "./main.js";

const NAMES = { solitaire: "solitaire", two: "two players", three: "three players", four: "four players", partnership: "two partnerships" };

/** @param {...any} content */
function openDialog(...content) {
  const dialog = byId("dialog");
  put(dialog, ...content);
  if (!dialog.open) dialog.showModal();
}

export const closeDialog = () => byId("dialog").close();

/** @param {any} [problem] what to say first */
export function openNewGame(problem) {
  const choice = { game: "ingenious", preset: "two", seats: ["human", "value"], seed: "" };
  const redraw = () => openDialog(newGame(choice, redraw, typeof problem === "string" ? problem : ""));
  redraw();
}

/** @param {any} choice @param {() => void} redraw @param {string} problem */
function newGame(choice, redraw, problem) {
  const offer = app.offer.find((each) => each.game === choice.game);
  if (!offer.presets[choice.preset]) choice.preset = Object.keys(offer.presets)[0];
  const { players, rules } = offer.presets[choice.preset];
  const agents = Object.keys(offer.agents).filter((name) => offer.agents[name].includes(choice.preset));
  const best = agents.includes("value") ? "value" : agents[agents.length - 1];
  choice.seats = Array.from({ length: players }, (_, seat) => {
    const wanted = choice.seats[seat] || best;
    return wanted === "human" || agents.includes(wanted) ? wanted : best;
  });
  const select = (id, label, options, value, change) => h("label", {}, label,
    h("select", { id, onchange: (event) => { change(event.target.value); redraw(); } },
      options.map(([name, text]) => h("option", { value: name, selected: name === value }, text))));
  const seats = choice.seats.map((who, seat) => select(`seat${seat}`, players === 1 ? "Player" : `Seat ${seat + 1}`, [["human", "a person"], ...agents.map((name) => [name, name])], who, (value) => (choice.seats[seat] = value)));
  const start = (event) => {
    event.preventDefault();
    const seed = /^\d{1,15}$/.test(choice.seed) ? { seed: Number(choice.seed) } : {};
    closeDialog();
    create({ game: choice.game, rules, seats: choice.seats, ...seed });
  };
  return h("form", { onsubmit: start },
    h("h2", {}, "New game"),
    problem && h("p", { class: "problem" }, problem),
    select("game", "Game", app.offer.map((each) => [each.game, each.game === "ingenious" ? "Ingenious" : "Loopit"]), choice.game, (value) => (choice.game = value)),
    select("preset", "Table", Object.keys(offer.presets).map((name) => [name, NAMES[name] || name]), choice.preset, (value) => (choice.preset = value)),
    seats,
    h("label", {}, "Seed", h("input", { id: "seed", inputmode: "numeric", placeholder: "random", value: choice.seed, oninput: (event) => (choice.seed = event.target.value) })),
    h("details", {}, h("summary", {}, "Open a record"), h("textarea", { id: "opened", rows: 5, "aria-label": "Record", placeholder: "ingenious-record 1 …" }),
      h("button", { id: "open", type: "button", onclick: () => { const text = byId("opened").value; closeDialog(); create({ record: text }); } }, "Open")),
    h("p", { class: "acts" }, app.table && h("button", { type: "button", id: "cancel", onclick: closeDialog }, "Cancel"), h("button", { id: "start", class: "go" }, "Start")));
}

export async function openShare() {
  const { table } = app;
  const query = new URLSearchParams({ keys: app.keys, theme: document.documentElement.dataset.theme || "dark", ...(app.at === null ? {} : { at: String(app.at) }) });
  let text = "";
  let told = "";
  try {
    const answer = await fetch(`/api/tables/${table.id}/record?${new URLSearchParams({ keys: app.keys })}`);
    if (!answer.ok) throw new Refused(answer.status, await answer.json());
    text = await answer.text();
  } catch (error) {
    told = /** @type {Error} */ (error).message;
  }
  openDialog(
    h("h2", {}, "Share"),
    text ? h("textarea", { id: "record", readonly: true, rows: 8 }, text) : h("p", { class: "muted" }, told),
    h("p", { class: "acts" },
      text && h("button", { id: "copy", onclick: () => navigator.clipboard.writeText(text) }, "Copy text"),
      text && h("button", { id: "link", onclick: () => navigator.clipboard.writeText(linkTo(text)) }, "Copy link"),
      text && h("a", { class: "button", href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: `${table.game}.txt` }, "Save text"),
      h("a", { class: "button", href: `/api/tables/${table.id}/picture?${query}`, download: `${table.game}.svg` }, "Save picture"),
      h("button", { id: "close", class: "go", onclick: closeDialog }, "Close")));
}

/** The record in the address of a page, as `linkTo` made it; "" if there is none. @param {string} hash */
export function recordOf(hash) {
  if (!hash.startsWith("record=")) return "";
  try {
    const bytes = Uint8Array.from(atob(hash.slice(7).replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

/** @param {string} record */
function linkTo(record) {
  const text = btoa(String.fromCharCode(...new TextEncoder().encode(record)));
  return `${location.origin}/#record=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

const KEYS = [
  ["1 to 6", "take a tile, or put it back"],
  ["← →", "with a tile in hand, through all cells where it may lie"],
  ["↑ ↓", "the same along a line, with Shift along the other one"],
  ["R, Shift R", "turn it"],
  ["F", "swap its halves"],
  ["Enter", "place it"],
  ["Esc", "put it back"],
  ["X, K, S, T", "swap or keep the rack; in Loopit stop, throw back, keep"],
  ["Z", "take back"],
  ["H", "hints"],
  ["N", "the next weak move"],
  ["← → Home End", "without a tile in hand, through the moves"],
  ["?", "this list"],
];

export function openHelp() {
  openDialog(h("h2", {}, "Keys"), h("table", { class: "keys" }, KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what)))),
    h("p", { class: "acts" }, h("button", { id: "close", class: "go", onclick: closeDialog }, "Close")));
}
