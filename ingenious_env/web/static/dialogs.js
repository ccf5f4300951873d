// Dialogs: a new game, and sharing one.

import { Refused, get, post, reasonOf } from "./api.js";
import { byId, h, put, titled } from "../../render/static/dom.js";
import { app, complain, create, explain, stay, withHand } from "./main.js";
import { settingBoxes } from "./settings.js";

const NAMES = { solitaire: "solitaire", two: "two players", three: "three players", four: "four players", partnership: "two partnerships" };

/** @param {...any} content */
function openDialog(...content) {
  const dialog = byId("dialog");
  put(dialog, ...content);
  dialog.oncancel = stay;
  if (!dialog.open) dialog.showModal();
}

export const closeDialog = () => byId("dialog").close();

const isOpen = () => byId("dialog").open;

/** Choose a new game, or who goes on with a record or a position.
 * @param {{ problem?: string, text?: string, fixed?: boolean }} [start] what to say first; what to open, and nothing else */
export async function openNewGame({ problem = "", text = "", fixed = false } = {}) {
  const { hash } = location;
  try {
    app.offer ||= (await get("games")).games;
  } catch (error) {
    return explain(error);
  }
  if (location.hash !== hash) return; // a table has been opened since
  const choice = { game: "ingenious", preset: "two", seats: ["human", "value"], seed: "", text, asked: "", opened: Boolean(text), fixed, found: null, problem };
  const draw = () => openDialog(newGame(choice, redraw));
  const redraw = () => isOpen() && choice === chosen && draw();
  chosen = choice;
  draw();
  if (text) read(choice, redraw);
}

/** what the dialog of a new game was opened for last, as an answer may come when it is no longer open @type {any} */
let chosen = null;

/** Learn what the text of a choice holds. A browser may tell of a change of many lines many times, and a dialog that is
 * drawn anew between press and release loses the click: a text is asked about once. @param {() => void} redraw */
async function read(choice, redraw) {
  const { text } = choice;
  if (text === choice.asked) return;
  choice.asked = text;
  choice.found = null;
  choice.problem = "";
  if (text.trim()) {
    const found = await post("read", { text }).catch((error) => error);
    if (choice.text !== text) return;
    if (!(found instanceof Error)) choice.found = found;
    else {
      choice.problem = reasonOf(found);
      if (!(found instanceof Refused)) choice.asked = "";
    }
  }
  redraw();
}

/** @param {() => void} redraw */
function newGame(choice, redraw) {
  const { found } = choice;
  const offer = app.offer.find((each) => each.game === choice.game);
  if (!offer.presets[choice.preset]) choice.preset = Object.keys(offer.presets)[0];
  const { players, rules } = found || offer.presets[choice.preset];
  const agents = found ? found.agents : Object.keys(offer.agents).filter((name) => offer.agents[name].includes(choice.preset));
  const best = found ? "human" : agents.includes("value") ? "value" : agents[agents.length - 1];
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
    closeDialog();
    chosen = null;
    const seed = /^\d{1,15}$/.test(choice.seed) ? { seed: Number(choice.seed) } : {};
    if (!found) create({ game: choice.game, rules, seats: choice.seats, ...seed });
    else create({ text: choice.text, seats: found.over ? Array(players).fill("human") : choice.seats });
  };
  return h("form", { onsubmit: start },
    h("h2", {}, choice.text ? "Open a game" : "New game"),
    choice.problem && h("p", { class: "problem" }, choice.problem),
    found && h("p", { class: "muted", id: "found" }, `${titled(found.game)}, ${players === 1 ? "one player" : `${players} players`}, ${found.moves === 1 ? "one move" : `${found.moves} moves`}${found.over ? ", over" : ""}`),
    !choice.text && [
      select("game", "Game", app.offer.map((each) => [each.game, titled(each.game)]), choice.game, (value) => (choice.game = value)),
      select("preset", "Table", Object.keys(offer.presets).map((name) => [name, NAMES[name] || name]), choice.preset, (value) => (choice.preset = value))],
    choice.text && !found ? null : found && found.over ? null : seats,
    !choice.text && h("label", {}, "Seed", h("input", { id: "seed", inputmode: "numeric", placeholder: "random", value: choice.seed, oninput: (event) => (choice.seed = event.target.value) })),
    !choice.fixed && h("details", { open: choice.opened, ontoggle: (event) => (choice.opened = event.target.open) }, h("summary", {}, "Open a record or a position"),
      h("textarea", { id: "opened", rows: 5, "aria-label": "Record or position", placeholder: "ingenious-record 1 …", oninput: (event) => { choice.text = event.target.value; read(choice, redraw); } }, choice.text),
      h("input", { id: "file", type: "file", "aria-label": "File with a record or a position", onchange: async (event) => { choice.text = await event.target.files[0].text(); read(choice, redraw); } })),
    h("p", { class: "acts" }, app.table && h("button", { type: "button", id: "cancel", onclick: () => (closeDialog(), stay()) }, "Cancel"), h("button", { id: "start", class: "go", disabled: Boolean(choice.text && !found) }, choice.text ? "Open" : "Start")));
}

/** Text that the server tells of a table; throws its refusal. @param {string} id @param {string} path
 * @param {Record<string, any>} [query] */
async function textOf(id, path, query) {
  const answer = await fetch(`/api/tables/${id}/${path}?${new URLSearchParams({ keys: app.keys, ...query })}`);
  if (!answer.ok) throw new Refused(answer.status, await answer.json());
  return answer.text();
}

/** Choose who goes on from the position that is shown; with its history, if it has a record. */
export async function openBranch() {
  const { id, total } = app.table;
  const at = app.at ?? total;
  try {
    const text = await textOf(id, "record", { at }).catch(() => textOf(id, "position", { at }));
    if (app.table.id === id) await openNewGame({ text, fixed: true });
  } catch (error) {
    complain(reasonOf(error));
  }
}

/** Copy a text, or show it marked where the browser does not let a page do so, as without https on other machines.
 * @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = byId("record");
    area.value = text;
    area.select();
  }
}

export async function openShare() {
  const { table } = app;
  const query = new URLSearchParams({ keys: app.keys, theme: document.documentElement.dataset.theme || "dark", ...(app.at === null ? {} : { at: String(app.at) }) });
  let text = "";
  let told = "";
  try {
    text = await textOf(table.id, "record");
  } catch (error) {
    told = reasonOf(error);
  }
  if (app.table.id !== table.id) return;
  openDialog(
    h("h2", {}, "Share"),
    text ? h("textarea", { id: "record", readonly: true, rows: 8, "aria-label": "Record" }, text) : h("p", { class: "muted" }, told),
    h("p", { class: "acts" },
      text && h("button", { id: "copy", onclick: () => copy(text) }, "Copy text"),
      text && h("button", { id: "link", onclick: () => copy(linkTo(text)) }, "Copy link"),
      text && h("a", { class: "button", href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: `${table.game}.txt` }, "Save text"),
      h("a", { class: "button", href: `/api/tables/${table.id}/picture?${query}`, download: `${table.game}.svg` }, "Save picture"),
      h("button", { id: "close", class: "go", onclick: closeDialog }, "Close")));
}

/** The record or position in the address of a page, as `linkTo` and the command line write it; "" if there is none. @param {string} hash */
export function textIn(hash) {
  if (!hash.startsWith("text=")) return "";
  try {
    const bytes = Uint8Array.from(atob(hash.slice(5).replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

/** @param {string} record */
function linkTo(record) {
  const text = btoa(String.fromCharCode(...new TextEncoder().encode(record)));
  return `${location.origin}/#text=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
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

/** Show a better move than one that has not been played: its tile in hand, at its place. @param {string} best */
function showBetter(best) {
  const { game, table } = app;
  closeDialog();
  if (game.laid(best)) withHand(() => game.take(table.scene, best));
  complain(`${game.moveName(best)} is better.`);
}

/** Ask whether a bad mistake is meant. @param {any} found the judgement @param {() => void} go */
export function openWarning(found, go) {
  openDialog(h("h2", {}, `This move loses ${(100 * found.loss).toFixed(0)} %`),
    h("p", {}, `${app.game.moveName(found.move)} ?? The judge would play another one.`),
    h("p", { class: "acts" },
      h("button", { id: "anyway", onclick: () => (closeDialog(), go()) }, "Play it"),
      h("button", { id: "show-best", onclick: () => showBetter(found.best) }, "Show the better one"),
      h("button", { id: "close", class: "go", onclick: closeDialog }, "Choose again")));
}

export function openHelp() {
  openDialog(h("h2", {}, "Settings"), settingBoxes(), h("h2", {}, "Keys"), h("table", { class: "keys" }, KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what)))),
    h("p", { class: "acts" }, h("button", { id: "close", class: "go", onclick: closeDialog }, "Close")));
}
