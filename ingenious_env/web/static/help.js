// The dialog of settings and keys; loaded on first use.

import { h } from "../../render/static/dom.js";
import { closeDialog, openDialog, rulesButton } from "./dialogs.js";
import { set, settings } from "./settings.js";
import { app, explain } from "./store.js";
import { TEXTS } from "./texts.js";

const SETTINGS = {
  confirm: "A click only puts the tile down; Place or Enter confirms it",
  warn: "Ask before a move that loses more than 20 % (counts as hints)",
  pace: "Moves of others come one after the other",
  sound: "A sound at each move",
  letters: "Keys of one letter or figure",
  coordinates: "Coordinates on empty cells, as in typed moves",
};

const HAND_KEYS = [
  ["1 to 6", "take a tile, or put it back"],
  ["← →", "with a tile in hand, through all cells where it may lie"],
  ["↑ ↓", "the same along a line, with Shift along the other one"],
  ["R, Shift R", "turn it"],
  ["F", "swap its halves"],
  ["Enter", "place it"],
  ["Esc", "put it back"],
];
const OTHER_KEYS = [
  ["Z", "take back"],
  ["H", "hints"],
  ["N", "the next weak move"],
  ["← → Home End", "without a tile in hand, through the moves"],
  ["?", "this list"],
];

const openMoves = () => import("./moves.js").then((moves) => moves.openMoves()).catch(explain);

/** A box to tick for each setting. */
function settingBoxes() {
  return Object.entries(SETTINGS).map(([name, text]) =>
    h(
      "label",
      { class: "setting" },
      h("input", {
        type: "checkbox",
        id: `set-${name}`,
        checked: settings[name],
        onchange: async (event) => {
          set(name, event.target.checked);
          if (name === "coordinates" && app.table) (await import("./coordinates.js")).drawCoordinates();
        },
      }),
      text,
    ),
  );
}

/** The keys of the page, and those of the named choices of the game. */
function keys() {
  const choices = Object.values(app.about.choices).map(({ title, key }) => [key.toUpperCase(), title.toLowerCase()]);
  return [...HAND_KEYS, ...choices, ...OTHER_KEYS];
}

/** Switch between light and dark. */
export function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  set("theme", (root.dataset.theme = dark ? "light" : "dark"));
}

export function openHelp() {
  openDialog(
    app.table &&
      h(
        "p",
        { class: "acts" },
        !app.table.real && h("button", { id: "list", onclick: openMoves }, "Moves so far"),
        TEXTS.taught.includes(app.table.game) && rulesButton("help-rules"),
      ),
    h("h2", {}, "Settings"),
    settingBoxes(),
    h("h2", {}, "Keys"),
    h(
      "table",
      { class: "keys" },
      keys().map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what))),
    ),
    h("p", { class: "acts" }, h("button", { id: "close", class: "go", onclick: closeDialog }, "Close")),
  );
}
