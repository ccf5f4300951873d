// The hints: a list of moves with meters; the game draws dots on the board.

import { byId, h, put } from "../../render/static/dom.js";
import { noteOf } from "./agents.js";
import { advisers, choose } from "./advice.js";
import { textOf } from "./moved.js";
import { TEXTS } from "./play_texts.js";
import { app, mine, withHand } from "./store.js";
import { unitText, worths } from "./worth.js";

const WORDS = TEXTS.hints;

/** The list, if hints are on. */
export function drawHints() {
  const { hints, table, game } = app;
  if (!hints) return put(byId("analysis"));
  const { found } = hints;
  const select = h(
    "select",
    { id: "adviser", "aria-label": WORDS.agent, onchange: (event) => choose(event.target.value) },
    advisers().map((name) => h("option", { value: name, selected: name === hints.agent }, name)),
  );
  const shown = found ? worths(found) : [];
  const rows = !found
    ? []
    : found.list.map((entry, number) => {
        const { text, meter } = shown[number];
        const pick = () => entry.places && withHand(() => game.take(table.scene, entry.move));
        const laid = entry.slot === undefined ? null : table.scene.rack[entry.slot];
        const tile = laid ? game.tile(laid, game.tileName(laid)) : h("span", {}, textOf(entry.move));
        return h(
          "li",
          {},
          h(
            "button",
            {
              class: "hint-row",
              id: `hint${number}`,
              onclick: pick,
              "aria-label": `${number + 1}: ${textOf(entry.move)} ${text}`,
            },
            h("span", {}, String(number + 1)),
            tile,
            h("span", { class: "meter" }, h("span", { "width%": meter })),
            h("span", { class: "worth" }, text),
          ),
        );
      });
  put(
    byId("analysis"),
    h(
      "section",
      {},
      h("header", {}, h("b", {}, WORDS.title), select),
      h("p", { id: "adviser-note", class: "muted" }, noteOf(hints.agent)),
      h("ol", { class: "hints" }, rows),
      h(
        "p",
        { class: "muted" },
        found
          ? unitText(found)
          : mine()
            ? app.compiling
              ? WORDS.compiling
              : WORDS.thinking
            : table.over
              ? WORDS.over
              : WORDS.later,
      ),
    ),
  );
}
