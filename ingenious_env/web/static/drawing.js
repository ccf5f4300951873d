// Drawing of the page: the head, the racks, the board, the hand, the replay bar.

import { byId, h, put } from "../../render/static/dom.js";
import { DRAWING } from "../../render/static/drawing_texts.js";
import { partnersOf } from "../../render/static/partners.js";
import { ReplayBar, nextSpeed, racks } from "../../render/static/replay.js";
import { rulesButton } from "./dialogs.js";
import {
  analyse,
  ask,
  betterMove,
  drawAside,
  drawAsked,
  drawEnd,
  openHelp,
  openSharing,
  setSpeed,
  switchHints,
  switchTheme,
} from "./later.js";
import { openNewGame } from "./new_game.js";
import { drag, pointer } from "./pointer.js";
import {
  app,
  emit,
  isCovered,
  isOthers,
  mine,
  placeHand,
  play,
  show,
  stopThinking,
  takeBack,
  uncover,
  withHand,
} from "./store.js";
import { TEXTS } from "./texts.js";

/** @import { Table } from "./types.js" */

export const bar = new ReplayBar(show, () => setSpeed(nextSpeed(app.speed)));

export function draw() {
  const { table, game } = app;
  if (!table) return;
  document.title = `${isLive() ? table.headline : shownText()} · ${app.about.title}`;
  bar.node.hidden = false;
  document.body.classList.toggle("crowded", table.scene.scores.length > 2);
  drawHead();
  drawOthers();
  put(byId("board"), game.board(table, pointer));
  drawReplay();
  drawHand();
  if (app.hints) ask();
  else drawAside();
  analyse();
  if ("asking" in table) drawAsked();
}

export function drawOverlay() {
  app.game.overlay(app.table, mine() && app.hints ? app.hints.found : null, betterMove());
}

/** Draw what depends on the tile in hand. */
export function drawHand() {
  const { table, game } = app;
  drawOverlay();
  put(byId("sheets"), game.sheets(table));
  put(byId("strip"), game.strip(table));
  drawSay(false);
  drawRack();
}

/** Whether the position is the latest, or on the way to it. */
const isLive = () => app.at === null || app.paced;

const shownText = () => TEXTS.shown(app.at ?? 0, app.table.total);

/** @param {boolean} [isNew] whether a text is told again to screen readers, if it is the same */
export function drawSay(isNew = true) {
  const { table, game } = app;
  const text =
    app.problem ||
    (!isLive()
      ? `${shownText()}.`
      : mine()
        ? isOthers()
          ? TEXTS.real.other(table.names[table.to_play])
          : game.say(table)
        : table.thinking
          ? TEXTS.waits(table.names[table.to_play], app.compiling)
          : table.headline);
  const say = byId("say");
  say.classList.toggle("problem", Boolean(app.problem));
  if (isNew || say.textContent !== text) say.textContent = text;
}

export function drawHead() {
  const { table } = app;
  const taught = table && TEXTS.taught.includes(table.game);
  const last = [
    taught && rulesButton("rules"),
    h("button", { id: "help", class: "icon", "aria-label": TEXTS.help, onclick: openHelp }, "?"),
    h("button", { id: "theme", class: "icon", "aria-label": TEXTS.theme, onclick: switchTheme }, "◐"),
  ];
  const fresh = h(
    "button",
    { id: "new", onclick: () => openNewGame() },
    TEXTS.fresh,
    h("span", { class: "long" }, TEXTS.freshGame),
  );
  if (!table) return put(byId("head"), h("h1", {}, TEXTS.title), h("span", { class: "space" }), fresh, last);
  put(
    byId("head"),
    h("h1", {}, app.game.emblem(), app.about.title),
    h(
      "span",
      { class: "who" },
      players(table),
      table.take_backs ? TEXTS.takenBack : "",
      table.hints ? TEXTS.hinted : "",
    ),
    h("span", { class: "space" }),
    fresh,
    table.yours.length > 0 &&
      !app.trial &&
      h(
        "button",
        { id: "take-back", onclick: () => takeBack() },
        h("span", { class: "long" }, TEXTS.back.long),
        h("span", { class: "short" }, TEXTS.back.short),
      ),
    h("button", { id: "share", onclick: () => openSharing("openShare") }, TEXTS.share),
    app.about.advisers.length > 0 &&
      h("button", { id: "hints", "aria-pressed": String(Boolean(app.hints)), onclick: switchHints }, TEXTS.hints),
    last,
  );
}

/** Who plays against whom. @param {Table} table */
function players({ names, yours }) {
  const own = yours.length === 1 ? yours[0] : null;
  const partners = partnersOf(app.game.look.sheets, own ?? 0);
  const others = names.filter((_, seat) => seat !== (own ?? 0) && !partners.includes(seat));
  if (!others.length || (own === null && !partners.length)) return names.join(" · ");
  const side = [own === null ? names[0] : TEXTS.you, ...partners.map((seat) => names[seat])];
  return TEXTS.against(DRAWING.all(side), partners.length ? DRAWING.all(others) : others.join(", "));
}

function drawOthers() {
  const { table, game } = app;
  const stop = (/** @type {number} */ seat) =>
    table.thinking &&
    app.at === null &&
    seat === table.to_play &&
    h("button", { id: "stop", onclick: stopThinking }, TEXTS.stop);
  put(byId("others"), racks(table, game, isLive() ? table.last : null, stop));
}

function drawRack() {
  const { table, game } = app;
  if (table.over) return drawEnd();
  byId("hand").classList.toggle("many", table.scene.rack.length > 7);
  if (table.seat === null) return put(byId("hand"));
  const now = mine();
  if (isCovered()) {
    return put(
      byId("hand"),
      h("button", { id: "uncover", class: "go", onclick: uncover }, TEXTS.uncover(table.names[table.seat])),
    );
  }
  const tiles = table.scene.rack.map((tile, slot) => {
    const picked = Boolean(game.hand && game.hand.slot === slot);
    const press = () => withHand(() => game.pick(table.scene, slot));
    return h(
      "button",
      {
        id: `slot${slot}`,
        class: picked ? "slot picked" : "slot",
        "aria-pressed": String(picked),
        "aria-label": game.tileName(tile),
        disabled: !now,
        onclick: press,
        onpointerleave: (event) => drag(event, slot),
      },
      game.tile(tile),
      h("kbd", {}, String(slot + 1)),
    );
  });
  const choices = now
    ? game
        .choices(table.scene)
        .map((move) =>
          h(
            "button",
            { id: `choose-${move.replace(" ", "-")}`, class: "go", onclick: () => play(move) },
            app.about.choices[move].title,
          ),
        )
    : [];
  const text = now ? game.placeText(table) : null;
  const turns =
    game.turn &&
    h(
      "span",
      {},
      h(
        "button",
        {
          id: "turn-left",
          class: "icon",
          "aria-label": TEXTS.left,
          disabled: !text,
          onclick: () => withHand(() => game.turn?.(table.scene, -1)),
        },
        "⟲",
      ),
      h(
        "button",
        {
          id: "turn-right",
          class: "icon",
          "aria-label": TEXTS.right,
          disabled: !text,
          onclick: () => withHand(() => game.turn?.(table.scene, 1)),
        },
        "⟳",
      ),
    );
  put(
    byId("hand"),
    tiles,
    h(
      "span",
      { class: "acts" },
      now && table.real?.shows && showsButton(table),
      choices.length
        ? choices
        : [turns, h("button", { id: "place", class: "go", disabled: !text, onclick: placeHand }, text || TEXTS.place)],
    ),
  );
}

/** A button for the choice with which the last player may show its tiles. @param {Table} table */
function showsButton(table) {
  const [choice, seat] = table.real?.shows || ["", 0];
  const text = TEXTS.real.shows(table.names[seat], app.about.choices[choice].title);
  return h("button", { id: "shows", onclick: () => emit("entered", null) }, text);
}

export function drawReplay() {
  const { table } = app;
  const open = !table.real && (table.over ? app.at !== null : !table.yours.length);
  bar.update(
    app.at ?? table.total,
    table.total,
    app.speed,
    open && h("button", { id: "branch", onclick: () => openSharing("openBranch") }, TEXTS.branch),
  );
  if (Boolean(byId("move")) !== mine())
    put(
      byId("typed"),
      mine() &&
        h(
          "form",
          { onsubmit: typed },
          h("label", { for: "move" }, TEXTS.type),
          h("input", { id: "move", autocomplete: "off", placeholder: app.about.example }),
          h("button", {}, TEXTS.play),
        ),
    );
}

/** @param {Event} event */
function typed(event) {
  event.preventDefault();
  const field = byId("move");
  if (play(field.value.trim())) field.value = "";
}
