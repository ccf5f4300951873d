// The part of the dialog of a new game that opens another one: games of this browser, records and positions; loaded on
// first use.

import { h } from "../../render/static/dom.js";
import { partnersOf } from "../../render/static/partners.js";
import { Refused, get, keysByTable, post, reasonOf } from "./api.js";
import { seedOf, today } from "./days.js";
import { closeDialog } from "./dialogs.js";
import { TEXTS } from "./openings_texts.js";
import { forget } from "./seats.js";
import { store, stored } from "./stored.js";
import { create } from "./tables.js";

/** @import { Choice, Offered, Table } from "./types.js" */

const NAMES = "ingenious-names"; // of tables, by id
const MOST = 20; // games that are listed, the latest

/** The tables of this browser that can be shown, the latest first. @returns {Promise<Table[]>} */
async function ownTables() {
  const entries = Object.entries(keysByTable()).slice(-MOST).reverse();
  const answers = await Promise.all(entries.map(([id, keys]) => get(`tables/${id}`, { keys }).catch(() => null)));
  return answers.filter(Boolean);
}

/** Name a table. @param {string} id @param {string} [name] "" for none */
function rename(id, name = "") {
  const others = Object.entries(stored(NAMES)).filter(([each]) => each !== id);
  store(NAMES, Object.fromEntries(name ? [...others, [id, name]] : others));
}

/** Begin a solitaire game with the bag of the day. @param {string} game @param {string} rules */
function playDaily(game, rules) {
  closeDialog();
  create({ game, rules, seats: ["human"], seed: seedOf(today()) });
}

/** For each game with a table for one, a button for the bag of the day. @param {Offered[]} games */
const daily = (games) =>
  games.flatMap(({ game, title, presets }) =>
    Object.values(presets)
      .filter(({ players }) => players === 1)
      .map(({ rules }) =>
        h(
          "button",
          { type: "button", id: `daily-${game}`, onclick: () => playDaily(game, rules) },
          TEXTS.daily(title, today()),
        ),
      ),
  );

/** Read the text of a choice, and add what else can be opened unless the text is fixed.
 * @param {Offered[]} games @param {Choice} choice @param {() => void} redraw */
export async function openOthers(games, choice, redraw) {
  if (choice.text) read(choice, redraw);
  if (choice.fixed) return;
  const change = (/** @type {string} */ text) => ((choice.text = text), read(choice, redraw));
  choice.openings = await openings(games, change, redraw);
  redraw();
}

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

/** What draws the part: the games, and a field for a text.
 * @param {Offered[]} games @param {(text: string) => void} change what a new text does @param {() => void} redraw
 * @returns {Promise<(text: string) => any[]>} */
async function openings(games, change, redraw) {
  let tables = await ownTables();
  let [asked, problem] = ["", ""];

  /** Ask whether a table is to be deleted, or no longer. @param {string} id */
  function askToRemove(id) {
    problem = "";
    asked = asked === id ? "" : id;
    redraw();
  }

  /** @param {string} id of a table */
  async function remove(id) {
    try {
      await post(`tables/${id}/delete`, { keys: keysByTable()[id] });
      forget(id);
      rename(id);
      tables = tables.filter((each) => each.id !== id);
      asked = problem = "";
    } catch (error) {
      problem = reasonOf(error);
    }
    redraw();
  }

  /** @param {Table} table */
  const row = (table) => {
    const { id, over, total, headline } = table;
    const offered = games.find(({ game }) => game === table.game);
    const { partners, others } = othersAt(table, offered);
    const title = TEXTS.game(offered?.title || table.game, partners, others);
    return [
      h("input", {
        id: `name-${id}`,
        "aria-label": TEXTS.name(title),
        value: stored(NAMES)[id] || title,
        maxlength: 60,
        form: "none", // in which the Enter key would start a game
        onchange: (event) => rename(id, event.target.value.trim()),
      }),
      h(
        "p",
        { class: "line" },
        h("span", { class: "muted" }, over ? headline : TEXTS.state(total, headline)),
        location.hash === `#${id}`
          ? h("span", { class: "muted" }, TEXTS.shown)
          : [
              asked === id
                ? h(
                    "button", // which may come under the pointer between the clicks of a double click
                    {
                      type: "button",
                      id: `sure-${id}`,
                      onclick: (/** @type {MouseEvent} */ { detail }) => detail < 2 && remove(id),
                    },
                    TEXTS.sure,
                  )
                : h(
                    "button",
                    { type: "button", id: `open-${id}`, onclick: () => goTo(id) },
                    over ? TEXTS.look : TEXTS.play,
                  ),
              h(
                "button",
                { type: "button", id: `delete-${id}`, onclick: () => askToRemove(id) },
                asked === id ? TEXTS.keep : TEXTS.remove,
              ),
            ],
      ),
    ];
  };

  return (text) => [
    problem && h("p", { class: "problem", role: "alert" }, problem),
    !text && daily(games),
    !text && tables.length > 0 && [h("h3", {}, TEXTS.own), tables.map(row)],
    h("h3", {}, TEXTS.text),
    h(
      "textarea",
      {
        id: "opened",
        rows: 5,
        "aria-label": TEXTS.text,
        placeholder: `${games[0].game}-record 1 …`,
        oninput: (event) => change(event.target.value),
      },
      text,
    ),
    h("input", {
      id: "file",
      type: "file",
      "aria-label": TEXTS.file,
      onchange: async (event) => change(await event.target.files[0].text()),
    }),
  ];
}

/** @param {string} id of a table */
function goTo(id) {
  closeDialog();
  location.hash = id;
}

/** The names of the others at a table; the partners of its presets are known. @param {Table} table @param {Offered} [offered] */
function othersAt({ names, yours, rules }, offered) {
  const preset = Object.values(offered?.presets || {}).find((each) => each.rules === rules);
  const seats = yours.flatMap((seat) => partnersOf(preset?.sheets || [], seat));
  const isOther = (/** @type {number} */ seat) => !yours.includes(seat);
  return {
    partners: names.filter((_, seat) => isOther(seat) && seats.includes(seat)),
    others: names.filter((_, seat) => isOther(seat) && !seats.includes(seat)),
  };
}
