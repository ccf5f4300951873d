// What is typed of a game at a real table that has begun; loaded with `real.js`.

import { byId, h } from "../../render/static/dom.js";
import { draw, layingBoard } from "./laying.js";
import { WORDS } from "./real_texts.js";

/** @import { RealChoice } from "./types.js" */

/** Whether the page of a game lays tiles on a board without a game; one with words of its own does. @param {string} game */
export const hasLayout = (game) => game in WORDS.begun.about;

/** What a game that has begun has besides the own tiles, as it was typed. @param {RealChoice} choice */
export function begunGame({ placed, scores, turn }) {
  const counters = scores.map((text) => (text.match(/[^\s,]+/g) || []).map(Number));
  return {
    placed: placed.split(/[\n;]/).filter((each) => each.trim()),
    scores: counters.every((each) => each.length === 1) ? counters.flat() : counters,
    to_play: turn,
  };
}

/** The fields for the tiles and the counters of a game that has begun.
 * @param {RealChoice} choice @param {number[]} sheets by seat @param {string[][]} seats their names
 * @param {(id: string, label: string, options: string[][], value: string, change: (value: string) => void) => any} select
 * @param {() => void} redraw */
export function begunFields(choice, sheets, seats, select, redraw) {
  const words = WORDS.begun;
  /** of a game without words of its own there are only labels @param {Record<string, string>} texts */
  const text = (texts) => texts[choice.game] || "";
  const number = Math.max(...sheets) + 1;
  choice.scores = Array.from({ length: number }, (_, sheet) => choice.scores[sheet] || "");
  const switched = (/** @type {any} */ event) => {
    choice.begun = event.target.checked;
    redraw();
  };
  const box = h("input", { type: "checkbox", id: "real-begun", checked: choice.begun, onchange: switched });
  const fields = choice.scores.map((value, sheet) => {
    const owners = sheets.flatMap((each, seat) => (each === sheet ? [seat + 1] : []));
    const oninput = (/** @type {any} */ event) => (choice.scores[sheet] = event.target.value);
    return h(
      "label",
      {},
      words.of(text(words.scores), owners),
      h("input", { id: `real-scores${sheet}`, value, oninput }),
    );
  });
  const type = (/** @type {any} */ event) => {
    choice.placed = event.target.value;
    if (choice.layout) draw(byId("real-board"), choice);
  };
  return [
    h("label", { class: "setting" }, box, words.title),
    choice.begun && [
      h("p", { class: "muted" }, text(words.about)),
      h(
        "label",
        {},
        words.placed,
        h(
          "textarea",
          { id: "real-placed", rows: 5, spellcheck: false, placeholder: text(words.example), oninput: type },
          choice.placed,
        ),
      ),
      choice.layout && layingBoard(choice),
      fields,
      sheets.length > 1 &&
        select("real-turn", words.turn, seats, String(choice.turn), (value) => {
          choice.turn = Number(value);
          redraw();
        }),
    ],
  ];
}
