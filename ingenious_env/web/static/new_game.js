// The dialog of a new game, or of one that continues a record or a position.

import { h } from "../../render/static/dom.js";
import { partnerNote } from "../../render/static/partners.js";
import { get } from "./api.js";
import { closeDialog, isShown, openDialog, openRules, stay } from "./dialogs.js";
import { notes, strength } from "./levels.js";
import { app, explain } from "./store.js";
import { store, stored } from "./stored.js";
import { create } from "./tables.js";
import { TEXTS } from "./texts.js";

/** @import { Choice, Offered } from "./types.js" */

/** the games, presets and agents of the server @type {Offered[] | null} */
let offer = null;

/** Choose a new game, or the players that continue a record or a position.
 * @param {{ problem?: string, text?: string, fixed?: boolean }} [start] an initial message; a text to open, and whether it is fixed */
export async function openNewGame({ problem = "", text = "", fixed = false } = {}) {
  const { hash } = location;
  /** @type {Offered[]} */
  let games;
  try {
    if (!offer) ({ games: offer } = await get("games"));
    games = /** @type {Offered[]} */ (offer);
  } catch (error) {
    return explain(error);
  }
  if (location.hash !== hash) return; // a table has been opened since
  const shown = games.find(({ game }) => game === app.table?.game);
  const { game, presets } = shown || games[0];
  /** @type {Choice} */
  const choice = {
    game,
    preset: (shown && Object.keys(presets).find((name) => presets[name].rules === app.table.rules)) || "two",
    seats: ["human"],
    seed: "",
    text,
    asked: "",
    openings: null,
    fixed,
    found: null,
    problem,
    others: false,
  };
  /** @type {any} */
  let form;
  const draw = () => openDialog((form = newGame(games, choice, draw, redraw)));
  const redraw = () => isShown(form) && draw();
  draw();
  if (text) openOthers(choice, redraw);
}

/** Open what can be opened instead. @param {Choice} choice @param {() => void} redraw */
const openOthers = (choice, redraw) =>
  import("./openings.js").then(({ openOthers }) => openOthers(offer || [], choice, redraw)).catch(explain);

/** Begin a game at a real table instead. @param {Choice} choice */
function openReal({ game, preset }) {
  import("./real.js").then((real) => real.openReal(offer || [], game, preset)).catch(explain);
}

/** @param {Choice} choice */
const seed = (choice) =>
  h(
    "label",
    {},
    TEXTS.seed,
    h("input", {
      id: "seed",
      inputmode: "numeric",
      placeholder: TEXTS.random,
      value: choice.seed,
      oninput: (event) => (choice.seed = event.target.value),
    }),
  );

/** For a first visit: the rules, and a guided first move. @param {Offered} offered @param {string} preset
 * @param {(event: Event) => boolean} start whether the game begins @param {() => void} back from the rules */
function newHere({ game, title, presets }, preset, start, back) {
  const words = TEXTS.newHere;
  return h(
    "p",
    { class: "line" },
    !stored(VISITED).once && h("b", {}, words.title),
    h(
      "button",
      {
        type: "button",
        id: "rules-first",
        onclick: () => (visited(), openRules(game, title, presets[preset].sheets, back)),
      },
      words.rules,
    ),
    h(
      "button",
      {
        type: "button",
        id: "guided",
        onclick: async (event) => {
          visited();
          const guide = await import("./guide.js");
          if (start(event)) guide.begin();
        },
      },
      words.guided,
    ),
  );
}

const VISITED = "ingenious-visited";

const visited = () => store(VISITED, { once: true });

/** @param {Offered[]} games @param {Choice} choice @param {() => void} draw the dialog anew
 * @param {() => void} redraw the same, unless it was closed */
function newGame(games, choice, draw, redraw) {
  const { found } = choice;
  const offered = games.find((each) => each.game === choice.game) || games[0];
  if (!offered.presets[choice.preset]) choice.preset = Object.keys(offered.presets)[0];
  const { players, rules, sheets } = found || offered.presets[choice.preset];
  const agents = found
    ? found.agents
    : Object.keys(offered.agents).filter((name) => offered.agents[name].includes(choice.preset));
  const levels = offered.levels.filter(({ agent }) => agents.includes(agent));
  const level = levels.find(({ agent }) => agent === offered.level);
  const best = found ? "human" : level ? level.agent : agents[agents.length - 1];
  choice.seats = Array.from({ length: players }, (_, seat) => {
    const wanted = choice.seats[seat] || best;
    return wanted === "human" || agents.includes(wanted) ? wanted : best;
  });
  /** @param {string} id @param {string} label @param {string[][]} options @param {string} value @param {(value: string) => void} change */
  const select = (id, label, options, value, change) =>
    h(
      "label",
      {},
      label,
      h(
        "select",
        {
          id,
          onchange: (event) => {
            change(event.target.value);
            redraw();
          },
        },
        options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
      ),
    );
  const named = agents.map((name) => {
    const level = levels.find(({ agent }) => agent === name);
    return [name, level ? `${level.name}, ${level.title}` : name];
  });
  const people = choice.seats.flatMap((who, seat) => (who === "human" ? [seat] : []));
  const reader = people.length === 1 ? people[0] : null;
  const numbers = choice.seats.map((_, seat) => String(seat + 1));
  const seats = choice.seats.map((who, seat) =>
    select(
      `seat${seat}`,
      players === 1 ? TEXTS.player : TEXTS.seat(seat + 1, partnerNote(sheets, seat, reader, numbers)),
      [["human", TEXTS.person], ...named],
      who,
      (value) => (choice.seats[seat] = value),
    ),
  );
  /** Note a click on the summary: its toggle event may come after the next drawing. @param {any} event */
  const switchOthers = ({ currentTarget }) => (choice.others = !currentTarget.parentElement.open);
  const isByLevel = !choice.text && players > 1 && levels.length > 0;
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = choice.seed.trim();
    if (!found && !/^\d{0,15}$/.test(text)) {
      Object.assign(choice, { problem: TEXTS.badSeed, others: true });
      redraw();
      return false;
    }
    visited();
    closeDialog();
    const seed = text ? { seed: Number(text) } : {};
    if (!found) create({ game: choice.game, rules, seats: choice.seats, ...seed });
    else create({ text: choice.text, seats: found.over ? Array(players).fill("human") : choice.seats });
    return true;
  };
  return h(
    "form",
    { onsubmit: start },
    h("h2", {}, choice.text ? TEXTS.fromText : TEXTS.anew),
    choice.problem && h("p", { class: "problem", role: "alert" }, choice.problem),
    found &&
      h(
        "p",
        { class: "muted", id: "found" },
        `${games.find((each) => each.game === found.game)?.title}, ${TEXTS.found(players, found.moves, found.over)}`,
      ),
    !choice.text && [
      select(
        "game",
        TEXTS.game,
        games.map((each) => [each.game, each.title]),
        choice.game,
        (value) => (choice.game = value),
      ),
      select(
        "preset",
        TEXTS.table,
        Object.entries(offered.presets).map(([name, { title }]) => [name, title]),
        choice.preset,
        (value) => (choice.preset = value),
      ),
    ],
    isByLevel && strength(levels, choice, redraw),
    (choice.text && !found) || (found && found.over)
      ? null
      : isByLevel
        ? h(
            "details",
            { open: choice.others },
            h("summary", { id: "others-shown", onclick: switchOthers }, TEXTS.level.others),
            seats,
            notes(levels, choice, true, redraw),
            seed(choice),
          )
        : [seats, notes(levels, choice, false, redraw)],
    !choice.text && !isByLevel && seed(choice),
    !choice.text && TEXTS.taught.includes(choice.game) && newHere(offered, choice.preset, start, draw),
    !choice.text &&
      h("p", {}, h("button", { type: "button", id: "real", onclick: () => openReal(choice) }, TEXTS.real.button)),
    choice.openings
      ? choice.openings(choice.text)
      : !choice.text &&
          h(
            "p",
            {},
            h("button", { type: "button", id: "openings", onclick: () => openOthers(choice, redraw) }, TEXTS.openings),
          ),
    h(
      "p",
      { class: "acts" },
      app.table && h("button", { type: "button", id: "cancel", onclick: () => (closeDialog(), stay()) }, TEXTS.cancel),
      h(
        "button",
        { id: "start", class: "go", disabled: Boolean(choice.text && !found) },
        choice.text ? TEXTS.open : TEXTS.start,
      ),
    ),
  );
}
