// Hints: what an agent thinks of the moves, as a list, as dots on the board and as numbers.

import { post } from "./api.js";
import { drawAnalysis } from "./analysis.js";
import { byId, h, put } from "../../render/static/dom.js";
import { drawHead, drawOverlay } from "./drawing.js";
import { app, explain, mine, withHand } from "./main.js";
import { unitText, worths } from "./worth.js";

/** Turn hints on or off. */
export function switchHints() {
  app.hints = app.hints ? null : { agent: adviser(), found: null };
  drawHead();
  if (app.hints) ask();
  else drawHints();
  drawOverlay();
  drawAnalysis();
}

/** The agents that play this table, the network first. */
function advisers() {
  const found = app.agents.filter((name) => name !== "uniform");
  return found.sort((one, other) => Number(other === "value") - Number(one === "value"));
}

function adviser() {
  const found = advisers();
  return app.hints && found.includes(app.hints.agent) ? app.hints.agent : found[0];
}

/** Ask for hints, if they are on and this page is to move. */
export async function ask() {
  if (!app.hints) return;
  app.hints.found = null;
  drawHints();
  if (!mine()) return;
  const { id, version } = app.table;
  const agent = adviser();
  app.hints.agent = agent;
  const found = await post(`tables/${id}/advice`, { keys: app.keys, version, agent }).catch((error) => error);
  if (!app.hints || app.hints.agent !== agent || app.table.id !== id || app.table.version !== version || !mine()) return;
  if (found instanceof Error) return explain(found);
  app.hints.found = found;
  drawHints();
  drawAnalysis();
  drawOverlay();
}

export function drawHints() {
  const { hints, table, game } = app;
  if (!hints) return put(byId("analysis"));
  const { found } = hints;
  const choose = h("select", { id: "adviser", "aria-label": "Agent that gives hints", onchange: (event) => { hints.agent = event.target.value; ask(); } },
    advisers().map((name) => h("option", { value: name, selected: name === hints.agent }, name)));
  const said = found && worths(found);
  const rows = !found ? [] : found.list.map((entry, number) => {
    const { text, meter } = said[number];
    const pick = () => entry.places && withHand(() => game.take(table.scene, entry.move));
    const tile = entry.places ? game.tile(table.scene.rack[entry.slot], game.tileName(table.scene.rack[entry.slot])) : h("span", {}, entry.move);
    return h("li", {}, h("button", { class: "hint-row", id: `hint${number}`, onclick: pick, "aria-label": `${number + 1}: ${entry.move} ${text}` },
      h("span", {}, String(number + 1)), tile, h("span", { class: "meter" }, h("span", { "width%": meter })), h("span", { class: "worth" }, text)));
  });
  put(byId("analysis"), h("section", {}, h("header", {}, h("b", {}, "Hints"), choose),
    h("ol", { class: "hints" }, rows),
    h("p", { class: "muted" }, found ? unitText(found) : mine() ? (app.compiling ? "compiling for the first time…" : "thinking…") : table.over ? "the game is over" : "hints come with your turn")));
}
