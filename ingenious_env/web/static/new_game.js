// The dialog of a new game, or of one that continues a record or a position.

import { h } from "../../render/static/dom.js";
import { Refused, get, post, reasonOf } from "./api.js";
import { closeDialog, isOpen, openDialog, openRules, stay } from "./dialogs.js";
import { strength } from "./levels.js";
import { app, explain } from "./store.js";
import { store, stored } from "./stored.js";
import { create } from "./tables.js";
import { TEXTS } from "./texts.js";

/** @import { Choice, Offered } from "./types.js" */

/** the games, presets and agents of the server @type {Offered[] | null} */
let offer = null;
/** whether games at a real table can be followed here */
let hasReal = false;

/** Choose a new game, or the players that continue a record or a position.
 * @param {{ problem?: string, text?: string, fixed?: boolean }} [start] an initial message; a text to open, and whether it is fixed */
export async function openNewGame({ problem = "", text = "", fixed = false } = {}) {
  const { hash } = location;
  /** @type {Offered[]} */
  let games;
  try {
    if (!offer) ({ games: offer, real: hasReal } = await get("games"));
    games = /** @type {Offered[]} */ (offer);
  } catch (error) {
    return explain(error);
  }
  if (location.hash !== hash) return; // a table has been opened since
  /** @type {Choice} */
  const choice = {
    game: games[0].game,
    preset: "two",
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
  const draw = () => openDialog(newGame(games, choice, redraw));
  const redraw = () => isOpen() && choice === chosen && draw();
  chosen = choice;
  draw();
  if (!text) return;
  read(choice, redraw);
  if (!fixed) addOpenings(choice, redraw);
}

/** the choice of the last dialog of a new game, as an answer may come after it was closed @type {Choice | null} */
let chosen = null;

/** Request the content of the text of a choice. A browser may send several change events for one change, and a dialog
 * that is redrawn between press and release loses the click: each text is requested once. @param {Choice} choice @param {() => void} redraw */
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

/** Add the games that can be opened instead to the dialog. @param {Choice} choice @param {() => void} redraw */
async function addOpenings(choice, redraw) {
  try {
    const { openings } = await import("./openings.js");
    const change = (/** @type {string} */ text) => ((choice.text = text), read(choice, redraw));
    choice.openings = await openings(offer || [], change, redraw);
    redraw();
  } catch (error) {
    explain(error);
  }
}

/** Begin a game at a real table instead. @param {Choice} choice */
function openReal({ game, preset }) {
  chosen = null;
  import("./real.js").then((real) => real.openReal(offer || [], game, preset)).catch(explain);
}

/** @param {Choice} choice */
const seed = (choice) =>
  h(
    "label",
    {},
    "Seed",
    h("input", {
      id: "seed",
      inputmode: "numeric",
      placeholder: "random",
      value: choice.seed,
      oninput: (event) => (choice.seed = event.target.value),
    }),
  );

/** For a first visit: the rules, and a guided first move. @param {Offered} offered @param {(event: Event) => void} start */
function newHere({ game, title }, start) {
  const words = TEXTS.newHere;
  const back = () => chosen && openDialog(newGame(offer || [], chosen, () => isOpen() && chosen && back()));
  return h(
    "p",
    { class: "line" },
    !stored(VISITED).once && h("b", {}, words.title),
    h(
      "button",
      { type: "button", id: "rules-first", onclick: () => (visited(), openRules(game, title, back)) },
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
          guide.begin();
          start(event);
        },
      },
      words.guided,
    ),
  );
}

const VISITED = "ingenious-visited";

const visited = () => store(VISITED, { once: true });

/** @param {Offered[]} games @param {Choice} choice @param {() => void} redraw */
function newGame(games, choice, redraw) {
  const { found } = choice;
  const offered = games.find((each) => each.game === choice.game) || games[0];
  if (!offered.presets[choice.preset]) choice.preset = Object.keys(offered.presets)[0];
  const { players, rules } = found || offered.presets[choice.preset];
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
  const titleOf = (/** @type {string} */ name) => levels.find(({ agent }) => agent === name)?.title;
  const named = agents.map((name) => [name, titleOf(name) ? `${name}, ${titleOf(name)}` : name]);
  const seats = choice.seats.map((who, seat) =>
    select(
      `seat${seat}`,
      players === 1 ? "Player" : `Seat ${seat + 1}`,
      [["human", "a person"], ...named],
      who,
      (value) => (choice.seats[seat] = value),
    ),
  );
  /** Note a click on the summary: its toggle event may come after the next drawing. @param {any} event */
  const switchOthers = ({ currentTarget }) => (choice.others = !currentTarget.parentElement.open);
  const isByLevel = !choice.text && players > 1 && levels.length > 0;
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    visited();
    closeDialog();
    chosen = null;
    const seed = /^\d{1,15}$/.test(choice.seed) ? { seed: Number(choice.seed) } : {};
    if (!found) create({ game: choice.game, rules, seats: choice.seats, ...seed });
    else create({ text: choice.text, seats: found.over ? Array(players).fill("human") : choice.seats });
  };
  return h(
    "form",
    { onsubmit: start },
    h("h2", {}, choice.text ? "Open a game" : "New game"),
    choice.problem && h("p", { class: "problem" }, choice.problem),
    found &&
      h(
        "p",
        { class: "muted", id: "found" },
        [
          games.find((each) => each.game === found.game)?.title,
          players === 1 ? "one player" : `${players} players`,
          `${found.moves === 1 ? "one move" : `${found.moves} moves`}${found.over ? ", over" : ""}`,
        ].join(", "),
      ),
    !choice.text && [
      select(
        "game",
        "Game",
        games.map((each) => [each.game, each.title]),
        choice.game,
        (value) => (choice.game = value),
      ),
      select(
        "preset",
        "Table",
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
            seed(choice),
          )
        : seats,
    !choice.text && !isByLevel && seed(choice),
    !choice.text && TEXTS.taught.includes(choice.game) && newHere(offered, start),
    !choice.text &&
      (hasReal
        ? h("p", {}, h("button", { type: "button", id: "real", onclick: () => openReal(choice) }, TEXTS.real.button))
        : h("p", { class: "muted", id: "no-real" }, TEXTS.real.missing)),
    choice.openings
      ? choice.openings(choice.text)
      : !choice.text &&
          h(
            "p",
            {},
            h("button", { type: "button", id: "openings", onclick: () => addOpenings(choice, redraw) }, TEXTS.open),
          ),
    h(
      "p",
      { class: "acts" },
      app.table && h("button", { type: "button", id: "cancel", onclick: () => (closeDialog(), stay()) }, "Cancel"),
      h(
        "button",
        { id: "start", class: "go", disabled: Boolean(choice.text && !found) },
        choice.text ? "Open" : "Start",
      ),
    ),
  );
}
