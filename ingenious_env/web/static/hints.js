// The hints: a list of moves with meters; the game draws dots on the board.

import { byId, h, put } from "../../render/static/dom.js";
import { advisers, choose, drawRow, isAsked, isReviewed, rowsOf } from "./advice.js";
import { noteOf } from "./agents.js";
import { current, isReader } from "./analysis.js";
import { textOf } from "./moved.js";
import { TEXTS } from "./play_texts.js";
import { app, withHand } from "./store.js";
import { lossText, unitText, worths } from "./worth.js";

/** @import { Advice } from "./types.js" */

const WORDS = TEXTS.hints;

/** The list, if hints are on. */
export function drawHints() {
  const { hints } = app;
  if (!hints) return put(byId("analysis"));
  const { found } = hints;
  const select = h(
    "select",
    { id: "adviser", "aria-label": WORDS.agent, onchange: (event) => choose(event.target.value) },
    advisers().map((name) => h("option", { value: name, selected: name === hints.agent }, name)),
  );
  put(
    byId("analysis"),
    h(
      "section",
      {},
      h("header", {}, h("b", {}, WORDS.title), select),
      h("p", { id: "adviser-note", class: "muted" }, noteOf(hints.agent)),
      h("ol", { class: "hints" }, found ? rows(found, hints.row) : []),
      h("p", { class: "muted" }, found ? aboutText(found) : waitText()),
    ),
  );
}

/** @param {Advice} found @param {number} drawn the row whose move is drawn on the board of a review */
function rows(found, drawn) {
  const { table, game } = app;
  const entries = rowsOf(found);
  const shown = worths({ ...found, list: entries.flatMap(({ value }) => (value === null ? [] : { value })) });
  const rack = table.revealed ? table.revealed[table.to_play] : table.scene.rack;
  const played = found.played ?? { move: "", rank: null };
  return entries.map((entry, row) => {
    const isPlayed = entry.move === played.move;
    const number = isPlayed ? played.rank : row;
    const { text, meter } = shown[row] ?? { text: judgedText(entry.move), meter: 0 };
    const take = () => entry.places && withHand(() => game.take(table.scene, entry.move));
    const laid = entry.slot === undefined ? null : rack[entry.slot];
    const tile = laid ? game.tile(laid, game.tileName(laid)) : h("span", {}, textOf(entry.move));
    const name = `${number === null ? "–" : number + 1}`;
    const note = isPlayed ? WORDS.played : "";
    return h(
      "li",
      {},
      h(
        "button",
        {
          class: "hint-row",
          id: `hint${row}`,
          onclick: isReviewed() ? () => drawRow(row) : take,
          "aria-pressed": isReviewed() && String(row === drawn),
          "aria-label": `${name}: ${[textOf(entry.move), text, note].filter(Boolean).join(" ")}`,
        },
        h("span", {}, name),
        tile,
        h("span", { class: "meter" }, h("span", { "width%": meter })),
        h("span", { class: "worth" }, text),
        isPlayed && h("em", {}, note),
      ),
    );
  });
}

/** What the judge says that a move of a review loses, if it is known. @param {string} move */
function judgedText(move) {
  const judged = current();
  const turn = judged?.turns.find((each) => each.at === app.table.at && each.move === move);
  return judged && turn ? lossText(judged, turn) : "";
}

/** What the values are; in a review also whose. @param {Advice} found */
function aboutText(found) {
  const { names, to_play: toPlay } = app.table;
  return isReviewed() ? `${WORDS.turn(isReader(toPlay) ? "" : names[toPlay])} · ${unitText(found)}` : unitText(found);
}

/** Why there is no list. */
function waitText() {
  if (isAsked()) return app.compiling ? WORDS.compiling : WORDS.thinking;
  return app.table.over ? WORDS.over : WORDS.later;
}
