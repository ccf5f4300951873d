// Games at a real table: the dialog in which one begins, and those for the tiles drawn or shown there; loaded on first use.

import { h, parsed, s } from "../../render/static/dom.js";
import { partnerNote } from "../../render/static/partners.js";
import { keep, post, reasonOf } from "./api.js";
import { begunFields, begunGame, hasLayout } from "./begun.js";
import { closeDialog, isOpen, isShown, openDialog, stay } from "./dialogs.js";
import { WORDS } from "./real_texts.js";
import { app, play } from "./store.js";

/** @import { Drawing, Offered, Palette, RealChoice } from "./types.js" */

/** The tiles chosen so far, and those that can be chosen; a click on one of them moves it.
 * @param {Drawing} game @param {Palette} palette @param {string[]} chosen texts of tiles, which are changed
 * @param {number} count to be chosen @param {string} name before the ids of the buttons @param {() => void} redraw */
export function tilePicker(game, palette, chosen, count, name, redraw) {
  const tileOf = (/** @type {string} */ text) => palette.find((each) => each[0] === text)?.[1];
  const take = (/** @type {string} */ text) => {
    if (chosen.length < count) chosen.push(text);
    redraw();
  };
  const back = (/** @type {number} */ at) => {
    chosen.splice(at, 1);
    redraw();
  };
  const picked = chosen.map((text, at) => {
    const label = WORDS.remove(game.tileName(tileOf(text)));
    const attributes = { type: "button", id: `${name}-chosen${at}`, "aria-label": label, onclick: () => back(at) };
    return h("button", attributes, game.tile(tileOf(text)));
  });
  const tiles = palette.map(([text, tile, number]) => {
    const left = number - chosen.filter((each) => each === text).length;
    const attributes = {
      type: "button",
      id: `${name}-${text}`,
      "aria-label": WORDS.left(game.tileName(tile), left),
      disabled: left < 1 || chosen.length >= count,
      onclick: () => take(text),
    };
    return h("button", attributes, game.tile(tile), left > 1 && h("small", {}, String(left)));
  });
  return h(
    "div",
    { class: "picker" },
    h("p", { class: "muted", role: "status" }, WORDS.chosen(chosen.length, count)),
    h("div", { class: "picked" }, picked),
    h("div", { class: "palette" }, tiles),
  );
}

/** Ask for tiles, and go on with their texts. @param {string} title @param {Palette} palette @param {number} count
 * @param {(tiles: string[]) => void} go */
function askTiles(title, palette, count, go) {
  /** @type {string[]} */
  const chosen = [];
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    closeDialog();
    go(chosen);
  };
  const draw = () =>
    openDialog(
      h(
        "form",
        { onsubmit: enter },
        h("h2", {}, title),
        tilePicker(app.game, palette, chosen, count, "tile", draw),
        h(
          "p",
          { class: "acts" },
          h("button", { type: "button", id: "cancel", onclick: closeDialog }, WORDS.cancel),
          h("button", { id: "enter", class: "go", disabled: chosen.length < count }, WORDS.enter),
        ),
      ),
    );
  draw();
}

/** Enter a move at the real table; if it draws tiles, they are asked for. @param {string | null} move null for the choice
 * with which the player that moved last shows its tiles */
export async function enter(move) {
  if (move === null) return enterShown();
  const [{ id, version }, { keys }] = [app.table, app];
  const { number, tiles } = await post(`tables/${id}/draws`, { keys, version, move });
  if (app.table.id !== id || app.table.version !== version) return;
  const go = (/** @type {string[]} */ drawn) => void play(move, true, drawn);
  if (number) askTiles(WORDS.drew(number), tiles, number, go);
  else go([]);
}

function enterShown() {
  const { real, names } = app.table;
  if (!real || !real.shows) return;
  const [choice, seat, number] = real.shows;
  askTiles(WORDS.showed(names[seat], number), real.unseen, number, (tiles) => void play(choice, true, tiles));
}

// The beginning.

/** Choose the game, the own seat and the own tiles. @param {Offered[]} games @param {string} game @param {string} preset */
export function openReal(games, game, preset) {
  /** @type {RealChoice} */
  const choice = {
    game,
    preset,
    seat: 0,
    rack: [],
    start: [],
    look: null,
    deal: null,
    drawing: null,
    layout: null,
    problem: "",
    begun: false,
    placed: "",
    scores: [],
    turn: 0,
    sent: false,
  };
  /** @type {any} */
  let node;
  const draw = () => openDialog((node = form(games, choice, redraw, load, () => isShown(node))));
  const redraw = () => isShown(node) && draw();
  const load = async () => {
    Object.assign(choice, { rack: [], start: [], look: null, deal: null, layout: null });
    Object.assign(choice, { problem: "", placed: "", scores: [] });
    const offered = offer(games, choice);
    const { rules } = offered.presets[choice.preset];
    const wanted = `${choice.game} ${choice.preset}`;
    redraw();
    try {
      const variant = { game: choice.game, rules };
      const folder = `../../games/${choice.game}/page`;
      const [look, deal, { Game }, layout] = await Promise.all([
        post("look", variant),
        post("deal", variant),
        import(`${folder}/game.js`),
        hasLayout(choice.game) ? import(`${folder}/layout.js`) : null,
      ]);
      if (wanted !== `${choice.game} ${choice.preset}`) return;
      Object.assign(choice, { look, deal, layout, drawing: new Game(look) });
    } catch (error) {
      choice.problem = reasonOf(error);
    }
    redraw();
  };
  if (!isOpen()) return; // that of the game was closed meanwhile
  draw();
  load();
}

/** The definitions that pictures of tiles refer to. @param {string} defs */
const pictures = (defs) => s("svg", { class: "defs", "aria-hidden": "true" }, s("defs", {}, parsed(defs)));

/** The game of a choice; a preset that it does not have becomes its first, and so does a seat.
 * @param {Offered[]} games @param {RealChoice} choice */
function offer(games, choice) {
  const offered = games.find((each) => each.game === choice.game) || games[0];
  if (!offered.presets[choice.preset]) choice.preset = Object.keys(offered.presets)[0];
  const { players } = offered.presets[choice.preset];
  if (choice.seat >= players) choice.seat = 0;
  if (choice.turn >= players) choice.turn = 0;
  return offered;
}

/** @param {Offered[]} games @param {RealChoice} choice @param {() => void} redraw @param {() => void} load
 * @param {() => boolean} isThere whether the form is shown */
function form(games, choice, redraw, load, isThere) {
  const offered = offer(games, choice);
  const { players, rules, sheets } = offered.presets[choice.preset];
  const { look, deal, drawing } = choice;
  const starts = Boolean(deal && deal.has_start);
  const asksStart = starts && !choice.begun;
  const isWhole = Boolean(look && choice.rack.length === look.rack && choice.start.length === Number(asksStart));
  /** @param {string} id @param {string} label @param {string[][]} options @param {string} value @param {(value: string) => void} change */
  const select = (id, label, options, value, change) =>
    h(
      "label",
      {},
      label,
      h(
        "select",
        { id, onchange: (event) => change(event.target.value) },
        options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
      ),
    );
  const start = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isWhole || choice.sent) return;
    choice.sent = true;
    const { seat, rack } = choice;
    const real = choice.begun
      ? { seat, rack, ...begunGame(choice) }
      : { seat, rack, start: asksStart ? choice.start[0] : null };
    const made = await post("tables", { game: choice.game, rules, real }).catch((error) => {
      Object.assign(choice, { problem: reasonOf(error), sent: false });
    });
    if (!made) return redraw();
    if (!isThere()) return;
    closeDialog();
    keep(made.id, Object.values(made.keys).join(","));
    location.hash = made.id;
  };
  const numbers = sheets.map((_, seat) => String(seat + 1));
  const seats = Array.from({ length: players }, (_, seat) => [
    String(seat),
    WORDS.seatOf(seat + 1, players, partnerNote(sheets, seat, null, numbers)),
  ]);
  const picker = (/** @type {string[]} */ chosen, /** @type {number} */ count, /** @type {string} */ name) =>
    deal && drawing && tilePicker(drawing, deal.tiles, chosen, count, name, redraw);
  return h(
    "form",
    { onsubmit: start },
    h("h2", {}, WORDS.title),
    h("p", { class: "muted" }, WORDS.about),
    select(
      "real-game",
      WORDS.game,
      games.map((each) => [each.game, each.title]),
      choice.game,
      (value) => {
        choice.game = value;
        load();
      },
    ),
    select(
      "real-preset",
      WORDS.table,
      Object.entries(offered.presets).map(([name, { title }]) => [name, title]),
      choice.preset,
      (value) => {
        choice.preset = value;
        load();
      },
    ),
    players > 1 &&
      select("real-seat", WORDS.seat, seats, String(choice.seat), (value) => {
        choice.seat = Number(value);
        redraw();
      }),
    look && app.table?.game !== choice.game && pictures(look.defs),
    look && [h("h3", {}, WORDS.rack(look.rack)), picker(choice.rack, look.rack, "rack")],
    asksStart && [h("h3", {}, WORDS.start), picker(choice.start, 1, "start")],
    look && begunFields(choice, look.sheets, seats, select, redraw),
    choice.problem && h("p", { class: "problem", role: "alert" }, choice.problem),
    h(
      "p",
      { class: "acts" },
      app.table && h("button", { type: "button", id: "cancel", onclick: () => (closeDialog(), stay()) }, WORDS.cancel),
      h("button", { id: "start", class: "go", disabled: !isWhole }, WORDS.begin),
    ),
  );
}
