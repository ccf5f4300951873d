// Hints in the store: whether they are on, and an agent's values of the moves.

import { post } from "./api.js";
import { app, emit, explain, isOthers, mine } from "./store.js";

/** Turn hints on or off. */
export function switchHints() {
  app.hints = app.hints ? null : { agent: adviser(), found: null };
  emit("hints");
  if (app.hints) ask();
  else emit("advice");
}

/** The agents that play this table, the network first. */
export function advisers() {
  const found = [...app.about.advisers];
  return found.sort((one, other) => Number(other === "value") - Number(one === "value"));
}

function adviser() {
  const found = advisers();
  return app.hints && found.includes(app.hints.agent) ? app.hints.agent : found[0];
}

/** Request hints, if they are on and this page is to move. */
export async function ask() {
  if (!app.hints) return;
  app.hints.found = null;
  emit("advice");
  if (!mine() || isOthers()) return;
  const { id, version } = app.table;
  const agent = adviser();
  app.hints.agent = agent;
  const found = await post(`tables/${id}/advice`, { keys: app.keys, version, agent }).catch((error) => error);
  if (!app.hints || app.hints.agent !== agent || app.table.id !== id || app.table.version !== version || !mine())
    return;
  if (found instanceof Error) return explain(found);
  app.hints.found = found;
  emit("advice");
}

/** Use another agent for hints. @param {string} agent */
export function choose(agent) {
  if (!app.hints) return;
  app.hints.agent = agent;
  ask();
}
