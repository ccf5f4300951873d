// The page: what it knows, what it draws from that, and what it does when it is asked to.

import { Refused, get, keep, keysByTable, listen, post } from "./api.js";
import { drawAnalysis } from "./analysis.js";
import { openBranch, openHelp, openNewGame, openShare, openWarning, textIn } from "./dialogs.js";
import { byId, h, parsed, put, s } from "./dom.js";
import { Ingenious } from "./ingenious.js";
import { ask, drawHints, switchHints } from "./hints.js";
import { onKey } from "./keys.js";
import { Loopit } from "./loopit.js";
import { ReplayBar, nextSpeed, racks } from "./replay.js";
import { click, settings } from "./settings.js";

const GAMES = { ingenious: Ingenious, loopit: Loopit };

export const app = {
  /** @type {any} */ offer: null,
  /** @type {any} the state of the table, as the server tells it */ table: null,
  /** @type {any} how the game is drawn and played */ game: null,
  /** the move that is shown; null for the latest @type {number | null} */ at: null,
  /** @type {string} */ keys: "",
  /** @type {any} */ source: null,
  /** @type {string} */ looks: "",
  problem: "",
  /** what an agent advises, while hints are on @type {any} */ hints: null,
  /** the seat whose rack this page shows, where several people share it @type {number | null} */ shownTo: null,
  /** moves a second while the game is played back @type {number} */ speed: 0,
};
let timer = 0;
let deeds = Promise.resolve();
let told = "";
const bar = new ReplayBar(show, () => (setSpeed(nextSpeed(app.speed)), drawReplay()));
/** whether a position is on its way that `show` has asked for */
let seeking = false;

/** Whether the rack is covered, for another person to sit down. */
const isCovered = () => app.table.yours.length > 1 && !app.table.over && app.at === null && app.shownTo !== app.table.seat;

/** Whether this page is to make a move now. */
export const mine = () =>
  Boolean(app.table && app.at === null && !app.table.over && app.table.yours.includes(app.table.to_play) && !isCovered());

// Going to a table.

/** @param {string} id */
export async function open(id) {
  const keys = keysByTable()[id] || "";
  const table = await get(`tables/${id}`, { keys });
  const look = await lookOf(table);
  if (location.hash !== `#${id}`) return; // yet another one has been opened since
  app.source?.close();
  Object.assign(app, { keys, at: null, shownTo: null });
  setSpeed(0);
  if (look) {
    byId("defs").replaceChildren(...parsed(look.defs));
    app.game = new GAMES[table.game](look);
    app.looks = variant(table);
  }
  accept(table, true);
  app.source = listen(id, keys, {
    state: (content) => content.version === app.table.version && !app.table.thinking ? null : refresh().catch(explain),
    thinking: () => refresh().catch(explain),
    failed: (content) => complain(content.error),
  });
}

const variant = (table) => `${table.game} ${table.rules}`;

/** What stays the same in a variant; null if that is what the page has. @param {any} table */
const lookOf = async (table) => (app.looks === variant(table) ? null : post("look", { game: table.game, rules: table.rules }));

/** Take a state for the present one. @param {any} table @param {boolean} [other] whether it may be another table's */
function accept(table, other = false) {
  const before = app.table;
  if (before && before.id !== table.id && !other) return; // the answer to something that was asked at the table before
  if (before && before.id === table.id && table.version < before.version) return; // answers may overtake each other
  if (table.at !== (app.at ?? table.total)) return; // another position is wanted by now
  const text = JSON.stringify(table);
  if (text === told && !app.problem) return; // the news of a move that its answer has told of
  told = text;
  app.table = table;
  app.problem = "";
  if (!before || before.id !== table.id || before.version !== table.version || before.seat !== table.seat) app.game.drop();
  if (before && before.id === table.id && table.total > before.total) {
    announce(table);
    click();
    if (app.game.isBonus && app.game.isBonus(table)) celebrate();
  }
  draw();
}

async function refresh() {
  const { at } = app;
  const table = await get(`tables/${app.table.id}`, { keys: app.keys, at });
  if (app.at === at) accept(table);
}

/** @param {string} text */
export function complain(text) {
  app.problem = text;
  drawSay();
}

/** Tell screen readers of the last move. @param {any} table */
function announce(table) {
  if (!table.last) return;
  const name = table.names[table.last.seat];
  const gains = table.last.gains ? `, ${[table.last.gains].flat().reduce((sum, gain) => sum + gain, 0)} points` : "";
  byId("live").textContent = `${name === "You" ? "You play" : `${name} plays`} ${table.last.move}${gains}. ${table.headline}`;
}

/** Say for a moment that a counter has reached its top. */
function celebrate() {
  const banner = h("div", { class: "banner", "aria-hidden": "true" }, "Ingenious!");
  byId("left").append(banner);
  setTimeout(() => banner.remove(), 900);
}

// What the page can do.

/** Do something that asks the server, once what was asked for before is done; what it refuses is said. News can show the
 * next turn while the answer to a move is on its way, so that a quick next move has to wait and not to be lost.
 * @param {() => Promise<any>} deed */
export function doing(deed) {
  deeds = deeds.then(deed).catch(explain);
  return deeds;
}

/** Say why the server has not done something. @param {any} error */
function explain(error) {
  if (!(error instanceof Refused)) complain("the server does not answer; it may have been ended");
  else if (error.status === 409) {
    accept(error.body);
    complain("something has happened meanwhile; look again");
  } else complain(error.message);
}

/** @param {string | null} move in the game's notation @param {boolean} [sure] even if it is a bad mistake */
export function play(move, sure = !settings.warn) {
  if (!move || !mine()) return;
  const { id, version, judge } = app.table;
  doing(async () => {
    if (app.table.id !== id || app.table.version !== version) return; // the second half of a double click
    if (!sure && judge) {
      const found = await post(`tables/${id}/judge`, { keys: app.keys, version, move });
      if (found.mark === "??") return openWarning(found, () => play(move, true));
    }
    accept(await post(`tables/${id}/move`, { keys: app.keys, version, move }));
  });
}

export function takeBack() {
  doing(async () => {
    const { id, version } = app.table;
    app.at = null;
    accept(await post(`tables/${id}/back`, { keys: app.keys, version }));
  });
}

export function stopThinking() {
  doing(() => post(`tables/${app.table.id}/stop`, { keys: app.keys }));
}

/** Play the game back from the move that is shown, or stop that. @param {number} speed */
export function setSpeed(speed) {
  clearInterval(timer);
  app.speed = speed;
  if (!speed) return;
  if (app.at === null) show(0);
  timer = setInterval(() => {
    if (app.at === null) setSpeed(0), drawReplay();
    else show(app.at + 1);
  }, 1000 / speed);
}

/** Show the position after a number of moves. Of several that are asked for quickly, as by the slider, the last is
 * always reached; some between are passed over. @param {number} at */
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

/** @param {any} choice what to play */
export async function create(choice) {
  const from = location.hash;
  await doing(async () => {
    if (location.hash !== from) return;
    const made = await post("tables", choice);
    keep(made.id, Object.values(made.keys).join(","));
    location.hash = made.id;
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
  drawHand();
}

// Drawing.

export function draw() {
  const { table, game } = app;
  if (!table) return;
  document.title = `${table.headline} · Ingenious`;
  document.body.classList.toggle("crowded", table.scene.scores.length > 2);
  drawHead();
  drawOthers();
  put(byId("board"), game.board(table, pointer));
  drawReplay();
  drawHand();
  if (app.hints && !(mine() && app.hints.found && app.hints.found.version === table.version)) ask();
  else drawHints();
  drawAnalysis();
}

/** What changes with the tile in hand. */
function drawHand() {
  const { table, game } = app;
  game.overlay(table, app.hints && mine() && app.hints.found);
  put(byId("sheets"), game.sheets(table, app));
  put(byId("strip"), game.strip(table));
  drawSay();
  drawRack();
}

function drawSay() {
  const { table, game } = app;
  const text = app.problem || (app.at !== null ? `Move ${app.at} of ${table.total}.` : mine() ? game.say(table) : table.thinking ? `${table.names[table.to_play]} is thinking…` : table.headline);
  byId("say").classList.toggle("problem", Boolean(app.problem));
  byId("say").textContent = text;
}

function drawHead() {
  const { table } = app;
  const others = table.names.filter((_, seat) => !table.yours.includes(seat)).join(", ");
  const who = table.yours.length === 1 && others ? `You against ${others}` : table.names.join(" · ");
  put(byId("head"),
    h("h1", {}, s("svg", { viewBox: "-22 -24 44 48", class: "symbol" }, s("use", { href: table.game === "ingenious" ? "#half4" : "#back" })), table.game === "ingenious" ? "Ingenious" : "Loopit"),
    h("span", { class: "who" }, who, table.take_backs ? " · with take backs" : "", table.hints ? " · with hints" : ""),
    h("span", { class: "space" }),
    h("button", { id: "new", onclick: () => openNewGame() }, "New", h("span", { class: "long" }, " game")),
    table.yours.length > 0 && h("button", { id: "back", onclick: takeBack }, h("span", { class: "long" }, "Take back"), h("span", { class: "short" }, "Back")),
    h("button", { id: "share", onclick: openShare }, "Share"),
    table.yours.length > 0 && h("button", { id: "hints", "aria-pressed": String(Boolean(app.hints)), onclick: () => (switchHints(), drawHead()) }, "Hints"),
    h("button", { id: "help", class: "icon", "aria-label": "Keys and settings", onclick: openHelp }, "?"),
    h("button", { id: "theme", class: "icon", "aria-label": "Light or dark", onclick: switchTheme }, "◐"));
}

function drawOthers() {
  const { table, game } = app;
  const stop = (seat) => table.thinking && seat === table.to_play && h("button", { id: "stop", onclick: stopThinking }, "Stop");
  put(byId("others"), racks(table, game, app.at === null ? table.last : null, stop));
}

function drawRack() {
  const { table, game } = app;
  if (table.over) return put(byId("hand"), again());
  if (table.seat === null) return put(byId("hand"));
  const now = mine();
  if (isCovered()) {
    const uncover = () => ((app.shownTo = table.seat), draw());
    return put(byId("hand"), h("button", { id: "uncover", class: "go", onclick: uncover }, `${table.names[table.seat]}: show my tiles`));
  }
  const tiles = table.scene.rack.map((tile, slot) => {
    const picked = Boolean(game.hand && game.hand.slot === slot);
    const press = () => withHand(() => game.pick(table.scene, slot));
    return h("button", { id: `slot${slot}`, class: picked ? "slot picked" : "slot", "aria-pressed": String(picked), "aria-label": game.tileName(tile), disabled: !now, onclick: press }, game.tile(tile), h("kbd", {}, String(slot + 1)));
  });
  const choices = now ? game.choices(table.scene).map(([move, label]) => h("button", { id: `choose-${move.replace(" ", "-")}`, class: "go", onclick: () => play(move) }, label)) : [];
  const text = now ? game.placeText(table) : null;
  const turns = game.turn && h("span", {},
    h("button", { id: "turn-left", class: "icon", "aria-label": "Turn left", disabled: !text, onclick: () => withHand(() => game.turn(table.scene, -1)) }, "⟲"),
    h("button", { id: "turn-right", class: "icon", "aria-label": "Turn right", disabled: !text, onclick: () => withHand(() => game.turn(table.scene, 1)) }, "⟳"));
  put(byId("hand"), tiles, h("span", { class: "acts" }, choices.length ? choices : [turns, h("button", { id: "place", class: "go", disabled: !text, onclick: placeHand }, text || "Place")]));
}

/** Buttons at the end of a game: the seats moved on by one, or the same tiles once more. */
function again() {
  const { game, rules, seats, deal } = app.table;
  const moved = seats.map((_, seat) => seats[(seat + seats.length - 1) % seats.length]);
  return h("span", { class: "acts" },
    h("button", { id: "rematch", class: "go", onclick: () => create({ game, rules, seats: moved }) }, seats.length > 1 ? "Rematch, seats moved on" : "Another game"),
    h("button", { id: "again", onclick: () => create({ text: deal, seats }) }, "The same tiles again"));
}

function drawReplay() {
  const { table } = app;
  const open = table.over ? app.at !== null : !table.yours.length;
  bar.update(app.at ?? table.total, table.total, app.speed, open && h("button", { id: "branch", onclick: openBranch }, "Play on"));
  if (Boolean(byId("move")) !== mine()) put(byId("typed"), mine() && h("form", { onsubmit: typed }, h("label", { for: "move" }, "Type a move"), h("input", { id: "move", autocomplete: "off", placeholder: app.table.game === "ingenious" ? "r0,-4 b1,-4" : "NE5@6,7" }), h("button", {}, "Play")));
}

/** @param {Event} event */
function typed(event) {
  event.preventDefault();
  play(byId("move").value.trim());
  byId("move").value = "";
}

// The pointer on the board.

const pointer = {
  /** @param {PointerEvent} event @param {{cell: number | null, direction: number}} spot */
  onMove(event, spot) {
    if (!mine() || !app.game.hand || app.game.hand.fixed || event.pointerType === "touch") return;
    withHand(() => app.game.aim(app.table.scene, spot.cell, spot.direction));
  },
  /** @param {PointerEvent} event @param {{cell: number | null, direction: number}} spot */
  onClick(event, spot) {
    const { game, table } = app;
    if (!mine() || !game.hand || spot.cell === null) return;
    if (event.pointerType === "touch") return withHand(() => game.tap(table.scene, spot.cell));
    if (!game.hand.fixed || settings.confirm) game.aim(table.scene, spot.cell, spot.direction);
    const move = game.moveText(table.scene);
    if (move && settings.confirm) withHand(() => (game.hand.fixed = true));
    else if (move) play(move);
    else complain(game.whyNot(table.scene, spot.cell));
  },
  /** @param {WheelEvent} event */
  onWheel(event) {
    if (!mine() || !app.game.hand || !app.game.turn) return;
    event.preventDefault();
    withHand(() => app.game.turn(app.table.scene, event.deltaY > 0 ? 1 : -1));
  },
};

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("ingenious-theme", root.dataset.theme);
  } catch {
    // it holds for this page, then
  }
}

/** Open what an address holds: at once a game that is over, and otherwise once it is known who plays. @param {string} text */
async function openText(text) {
  const found = await post("read", { text }).catch(() => null);
  if (found && found.over) await create({ text, seats: Array(found.players).fill("human") });
  else openNewGame({ text });
}

async function begin() {
  byId("replay").replaceWith(bar.node);
  try {
    const theme = localStorage.getItem("ingenious-theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // the browser keeps nothing
  }
  app.offer = (await get("games")).games;
  const go = async () => {
    const id = location.hash.slice(1);
    const text = textIn(id);
    if (text) return openText(text);
    if (/^[0-9a-f]{32}$/.test(id)) await open(id).catch((error) => openNewGame({ problem: error.message }));
    else openNewGame();
  };
  addEventListener("hashchange", go);
  addEventListener("keydown", onKey);
  await go();
}

begin();
