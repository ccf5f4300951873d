// Hints and the analysis next to the board; their modules are loaded on first use.

import { isWanted } from "./analysis.js";
import { app, explain } from "./store.js";

/** @type {(() => void) | null} */
let drawn = null;

/** Draw both, or nothing in their place. */
export function drawAside() {
  if (drawn) drawn();
  else if (app.hints || isWanted()) load().catch(explain);
}

async function load() {
  const [{ drawHints }, { drawAnalysis }] = await Promise.all([import("./hints.js"), import("./curve.js")]);
  drawn = () => (drawHints(), drawAnalysis());
  drawn();
}
