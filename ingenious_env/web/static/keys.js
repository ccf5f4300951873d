// The keyboard: one key for each thing, where no text is being typed.

import { nextMistake } from "./analysis.js";
import { openHelp } from "./dialogs.js";
import { switchHints } from "./hints.js";
import { app, mine, placeHand, play, show, takeBack, withHand } from "./main.js";
import { settings } from "./settings.js";

/** @param {KeyboardEvent} event */
export function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog") || takes(target, event.key)) return;
  const { game, table } = app;
  if (!table || (event.key.length === 1 && !settings.letters)) return;
  const deeds = keysOf(game, table);
  const deed = deeds[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!deed || (event.key === "Enter" && target.tagName === "BUTTON")) return;
  event.preventDefault();
  deed(event);
}

/** Whether an element has a use of its own for a key: what text is typed into, and the slider for keys that move it.
 * @param {HTMLElement} target @param {string} key */
function takes(target, key) {
  return target.id === "slider" ? key.length > 1 : /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** @returns {Record<string, (event: KeyboardEvent) => void>} */
function keysOf(game, table) {
  const at = app.at ?? table.total;
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const deeds = { z: takeBack, h: switchHints, "?": openHelp, n: nextMistake };
  if (mine()) {
    table.scene.rack.forEach((_, slot) => (deeds[String(slot + 1)] = () => withHand(() => game.pick(table.scene, slot))));
    for (const [move] of game.choices(table.scene)) deeds[move[0]] = () => play(move);
    if (game.choices(table.scene).some(([move]) => move === "swap")) deeds.x = () => play("swap");
  }
  if (mine() && game.hand) {
    const step = (name) => (event) => withHand(() => game.step(table.scene, name, event.shiftKey));
    Object.assign(deeds, { ArrowLeft: step("left"), ArrowRight: step("right"), ArrowUp: step("up"), ArrowDown: step("down") });
    Object.assign(deeds, { Enter: placeHand, Escape: () => withHand(() => game.drop()) });
    if (game.turn) Object.assign(deeds, { r: (event) => withHand(() => game.turn(table.scene, event.shiftKey ? -1 : 1)), f: () => withHand(() => game.flip()) });
  } else {
    Object.assign(deeds, { ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), Home: () => show(0), End: () => show(table.total) });
  }
  return deeds;
}
