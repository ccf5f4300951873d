// What agents reach in the bag of the day, once the own game is over; loaded with the end of a first game.

import { byId, h, put } from "../../render/static/dom.js";
import { Refused, post } from "./api.js";
import { TEXTS } from "./compared_texts.js";
import { dayOf } from "./days.js";
import { app, on } from "./store.js";

/** @import { Compared } from "./types.js" */

/** the comparison received last, null where there is none, and the table and its state @type {{ state: string, found: Compared | null } | null} */
let known = null;
/** the table and state of the pending request */
let asked = "";

/** @param {string} state */
async function request(state) {
  if (asked === state) return;
  asked = state;
  try {
    known = { state, found: await post(`tables/${app.table.id}/compared`, { keys: app.keys }) };
  } catch (error) {
    asked = ""; // to be tried again
    if (!(error instanceof Refused)) return;
    known = { state, found: null };
  }
  drawCompared();
}

/** The day of the bag with which the own game is over. */
function day() {
  const { over, seats, yours, deal } = app.table;
  return over && seats.length === 1 && yours.length === 1 ? dayOf(deal) : null;
}

/** Draw the results, if the game is over and has the bag of a day. */
export function drawCompared() {
  const date = day();
  if (!date) return put(byId("compared"));
  const state = `${app.table.id} ${app.table.version}`;
  if (known?.state !== state) request(state);
  const found = known?.state === state ? known.found : undefined;
  if (found && !found.agents.length) return put(byId("compared"));
  put(
    byId("compared"),
    found !== null &&
      h(
        "section",
        {},
        h("header", {}, h("b", {}, TEXTS.title), h("span", {}, date)),
        found ? table(found) : h("p", { class: "muted" }, TEXTS.playing),
      ),
  );
}

/** The results, the highest first. @param {Compared} found */
function table({ result, agents }) {
  const own = { name: app.table.names[0], result };
  const all = [own, ...agents].sort((one, other) => other.result - one.result);
  const look = (/** @type {typeof own} */ each) => ({ class: each === own ? "own" : "" });
  return h(
    "table",
    { "aria-label": TEXTS.results },
    h(
      "tr",
      {},
      all.map((each) => h("th", { scope: "col", ...look(each) }, each.name)),
    ),
    h(
      "tr",
      {},
      all.map((each) => h("td", look(each), String(each.result))),
    ),
  );
}

on("table", drawCompared);
