// The choice of an opponent by its strength, and what the chosen ones are.

import { h } from "../../render/static/dom.js";
import { explain } from "./store.js";
import { TEXTS } from "./texts.js";

/** @import { Choice, Offered } from "./types.js" */

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The rating of a level, at tables where it was measured. @param {Offered["levels"][0]} level @param {Choice} choice */
const rating = ({ ratings }, { preset }) => ratings[preset] && ` ${TEXTS.level.rating(ratings[preset])}`;

/** Buttons for the levels, and what the chosen one is like. @param {Offered["levels"]} levels @param {Choice} choice
 * @param {() => void} redraw */
export function strength(levels, choice, redraw) {
  const others = new Set(choice.seats.filter((who) => who !== "human"));
  const chosenOne = others.size === 1 ? levels.find(({ agent }) => others.has(agent)) : null;
  const choose = (/** @type {string} */ agent) => {
    const people = choice.seats.every((who) => who === "human");
    choice.seats = choice.seats.map((who, seat) => (who === "human" && !(people && seat > 0) ? who : agent));
    redraw();
  };
  return h(
    "fieldset",
    { class: "levels" },
    h("legend", {}, TEXTS.level.how),
    h(
      "div",
      {},
      levels.map(({ agent, name, title }, number) =>
        h(
          "button",
          {
            type: "button",
            id: `level${number + 1}`,
            "aria-pressed": String(agent === chosenOne?.agent),
            "aria-label": `${name}, ${title}`,
            onclick: () => choose(agent),
          },
          String(number + 1),
        ),
      ),
    ),
    h(
      "p",
      { id: "level", class: "muted" },
      chosenOne
        ? [h("b", {}, `${capital(chosenOne.name)}, ${chosenOne.title}. `), chosenOne.text, rating(chosenOne, choice)]
        : [...others].join(", "),
    ),
  );
}

/** the part of the page that says what agents are, once it is loaded @type {typeof import("./agents.js") | null} */
let known = null;

/** What the chosen agents are, unless that is said beside the levels. @param {Offered["levels"]} levels @param {Choice} choice
 * @param {boolean} isByLevel whether the levels are shown @param {() => void} redraw */
export function notes(levels, { seats }, isByLevel, redraw) {
  const names = [...new Set(seats)].filter((who) => who !== "human");
  const isLevel = (/** @type {string} */ who) => levels.some(({ agent }) => agent === who);
  if (!names.length || (isByLevel && names.length === 1 && isLevel(names[0]))) return null;
  if (known) return known.notesOn(names, levels);
  import("./agents.js").then((loaded) => ((known = loaded), redraw()), explain);
  return null;
}
