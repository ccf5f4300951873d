// Parts of the page that are loaded on first use: hints and the analysis next to the board, and dialogs.

import { app, explain, isAnalysed } from "./store.js";

/** @import { Judged, Table } from "./types.js" */

/** @typedef {Awaited<ReturnType<typeof load>>} Aside */

/** hints and the analysis, once they are loaded @type {Aside | null} */
let aside = null;

async function load() {
  const [advice, analysis, { drawHints }, { drawAnalysis }] = await Promise.all([
    import("./advice.js"),
    import("./analysis.js"),
    import("./hints.js"),
    import("./curve.js"),
  ]);
  return { advice, analysis, drawHints, drawAnalysis };
}

/** Use hints and the analysis, if they are loaded or wanted. @param {(aside: Aside) => void} act */
function use(act) {
  if (aside) act(aside);
  else if (app.hints || isAnalysed()) load().then((loaded) => act((aside = loaded)), explain);
}

/** Draw both, or nothing in their place. */
export const drawAside = () => use(({ drawHints, drawAnalysis }) => (drawHints(), drawAnalysis()));

/** Request hints. */
export const ask = () => use(({ advice }) => advice.ask());

/** Request a new analysis if the table has changed. */
export const analyse = () => use(({ analysis }) => analysis.analyse());

/** The move that is drawn on the board: in a review with hints one of the list, else the one that would have been better
 * than the one that led to the position that is shown, as far as is known. */
export const betterMove = () => aside && (aside.advice.drawnMove() ?? aside.analysis.betterMove());

/** Go to the position after the next marked move. */
export const nextMistake = () => use(({ analysis }) => analysis.nextMistake());

/** Turn hints on or off. */
export const switchHints = () => import("./advice.js").then((advice) => advice.switchHints()).catch(explain);

/** Open the dialog of settings and keys. */
export const openHelp = () => import("./help.js").then((help) => help.openHelp()).catch(explain);

export const switchTheme = () => import("./help.js").then((help) => help.switchTheme()).catch(explain);

/** Confirm a move that is a bad mistake. @param {Judged} found the judgement @param {() => void} go */
export const openWarning = (found, go) =>
  import("./warning.js").then((warning) => warning.openWarning(found, go)).catch(explain);

/** Share a game, or open a shared one. @param {"openShare" | "openBranch" | "openText"} what @param {string} [address] to open */
export const openSharing = (what, address = "") =>
  import("./share.js").then((share) => share[what](address)).catch(explain);

/** @param {Table} table */
export const moved = (table) => import("./moved.js").then((parts) => parts.moved(table)).catch(explain);

export const drawAsked = () => import("./asked.js").then((asked) => asked.drawAsked()).catch(explain);

/** Draw the end of a game. */
export const drawEnd = () => import("./end.js").then((end) => end.drawEnd()).catch(explain);

/** @param {number} speed in moves per second */
export const setSpeed = (speed) => import("./watch.js").then((watch) => watch.setSpeed(speed)).catch(explain);
