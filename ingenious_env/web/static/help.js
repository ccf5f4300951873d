// The dialog of settings and keys; loaded on first use.

import { h } from "../../render/static/dom.js";
import { closeDialog, openDialog, rulesButton } from "./dialogs.js";
import { HELP } from "./help_texts.js";
import { set, settings } from "./settings.js";
import { app, explain } from "./store.js";
import { TEXTS } from "./texts.js";
import { theme } from "./theme.js";

const openMoves = () => import("./moves.js").then((moves) => moves.openMoves()).catch(explain);

/** A box to tick for each setting. */
function settingBoxes() {
  return Object.entries(HELP.boxes).map(([name, text]) =>
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

/** The keys of the page that do something at the table, and those of the named choices of the game. */
function keys() {
  const { table, game, about } = app;
  const missing = table ? [!game.turn && "R", !game.flip && "F", !about.advisers.length && "H"] : [];
  const choices = Object.values(about.choices).map(({ title, key }) => [key.toUpperCase(), HELP.choice(title)]);
  const offered = (/** @type {string[][]} */ rows) => rows.filter(([key]) => !missing.includes(key[0]));
  return [...offered(HELP.hand), ...choices, ...offered(HELP.others)];
}

/** Switch between light and dark. */
export function switchTheme() {
  set("theme", (document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark"));
}

export function openHelp() {
  openDialog(
    app.table &&
      h(
        "p",
        { class: "acts" },
        !app.table.real && h("button", { id: "list", onclick: openMoves }, HELP.moves),
        TEXTS.taught.includes(app.table.game) && rulesButton("help-rules"),
      ),
    h("h2", {}, HELP.settings),
    settingBoxes(),
    h("h2", {}, HELP.keys),
    h(
      "table",
      { class: "keys" },
      keys().map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what))),
    ),
    h("p", { class: "acts" }, h("button", { id: "close", class: "go", onclick: closeDialog }, HELP.close)),
  );
}
