// Hints: what an agent thinks of the moves, as a list, as dots on the board and as numbers.

import { post } from "./api.js";
import { drawAnalysis } from "./analysis.js";
import { byId, h, put } from "./dom.js";
import { app, complain, mine, withHand } from "./main.js";

/** Turn hints on or off. */
export function switchHints() {
  app.hints = app.hints ? null : { agent: adviser(), found: null };
  if (app.hints) return void ask();
  drawHints();
  app.game.overlay(app.table);
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
  if (!app.hints || app.hints.agent !== agent || app.table.id !== id || app.table.version !== version) return;
  if (found instanceof Error) return complain(found.message);
  app.hints.found = found;
  drawHints();
  drawAnalysis();
  app.game.overlay(app.table, found);
}

const UNITS = { win: "chance of winning", points: "points", spaces: "spaces", utility: "utility", preference: "preference", choice: "would play" };

/** What the values are. */
function unitText({ unit, calibrated }) {
  if (calibrated && unit === "spaces") return "expected lowest counter";
  return UNITS[unit] + (!calibrated && ["win", "spaces", "utility"].includes(unit) ? ", against the best" : "");
}

/** A value, or its distance from the best one. @param {number} number */
function valueText(found, number) {
  const { value } = found.list[number];
  const best = found.list[0].value;
  if (found.unit === "choice") return "";
  if (found.unit === "points") return `+${value.toFixed(0)}`;
  if (found.unit === "preference") return `${(100 * value).toFixed(0)} %`;
  if (found.calibrated) return found.unit === "win" ? `${(100 * value).toFixed(0)} %` : value.toFixed(1);
  if (number === 0) return "best";
  const gap = found.unit === "win" ? 100 * (best - value) : best - value;
  return gap < 0.05 ? "equal" : `−${gap.toFixed(found.unit === "win" && gap >= 10 ? 0 : 1)}`;
}

export function drawHints() {
  const { hints, table, game } = app;
  if (!hints) return put(byId("analysis"));
  const { found } = hints;
  const choose = h("select", { id: "adviser", "aria-label": "Agent that gives hints", onchange: (event) => { hints.agent = event.target.value; ask(); } },
    advisers().map((name) => h("option", { value: name, selected: name === hints.agent }, name)));
  const rows = !found ? [] : found.list.map((entry, number) => {
    const low = found.list[found.list.length - 1].value;
    const span = found.list[0].value - low || 1;
    const pick = () => entry.places && withHand(() => game.take(table.scene, entry));
    const tile = entry.places ? game.tile(table.scene.rack[entry.slot], game.tileName(table.scene.rack[entry.slot])) : h("span", {}, entry.move);
    return h("li", {}, h("button", { class: "hint-row", id: `hint${number}`, onclick: pick, "aria-label": `${entry.move}, ${valueText(found, number)}` },
      h("span", {}, String(number + 1)), tile, h("span", { class: "meter" }, h("span", { "width%": 8 + (92 * (entry.value - low)) / span })), h("span", { class: "worth" }, valueText(found, number))));
  });
  put(byId("analysis"), h("section", {}, h("header", {}, h("b", {}, "Hints"), choose),
    h("ol", { class: "hints" }, rows),
    h("p", { class: "muted" }, found ? unitText(found) : mine() ? (app.compiling ? "compiling for the first time…" : "thinking…") : "hints come with your turn")));
}
