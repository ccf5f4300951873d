// The end of a game; loaded with the first one.

import { byId, h, put } from "../../render/static/dom.js";
import { drawCompared } from "./compared.js";
import { TEXTS } from "./play_texts.js";
import { app } from "./store.js";
import { create } from "./tables.js";

/** Draw what follows in the place of the rack, and the comparison with agents, if the game is over. */
export function drawEnd() {
  if (!app.table.over) return;
  put(byId("hand"), !app.table.real && again());
  drawCompared();
}

/** Buttons at the end of a game: a rematch with rotated seats, or with the same tiles. */
function again() {
  const { game, rules, seats, deal } = app.table;
  const moved = seats.map((_, seat) => seats[(seat + seats.length - 1) % seats.length]);
  return h(
    "span",
    { class: "acts" },
    h(
      "button",
      { id: "rematch", class: "go", onclick: () => create({ game, rules, seats: moved }) },
      seats.length > 1 ? TEXTS.end.rematch : TEXTS.end.another,
    ),
    h("button", { id: "again", onclick: () => create({ text: deal, seats }) }, TEXTS.end.same),
  );
}
