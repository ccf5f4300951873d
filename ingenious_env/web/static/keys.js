// The keyboard: one key per action, where no text is being typed.

import { nextMistake, openHelp, switchHints } from "./later.js";
import { settings } from "./settings.js";
import { app, mine, placeHand, play, show, takeBack, withHand } from "./store.js";

/** @import { Drawing, Scene, Table, Way } from "../../render/static/types.js" */

/** @param {KeyboardEvent} event */
export function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const withOthers = event.ctrlKey || event.metaKey || event.altKey || event.getModifierState("AltGraph");
  if (withOthers || target.closest("dialog") || takes(target, event.key)) return;
  const { game, table } = app;
  const name = nameOf(event);
  if (!table || (name.length === 1 && !settings.letters)) return;
  const action = new Map(Object.entries(keysOf(game, table))).get(name);
  if (!action || (name === "Enter" && target.tagName === "BUTTON")) return;
  event.preventDefault();
  if (!event.repeat || /^(Arrow.*|r)$/.test(name)) action(event); // a key held takes no further moves back
}

/** The name of a key: its letter or figure; on layouts without Latin letters or figures there, as Cyrillic and Greek ones
 * or French keyboards, the one at its place on an American keyboard. @param {KeyboardEvent} event */
export function nameOf({ key, code, shiftKey }) {
  const [, letter] = code.match(/^Key([A-Z])$/) || [];
  const [, figure] = code.match(/^(?:Digit|Numpad)(\d)$/) || [];
  const isForeign = /^[^\x00-\x7f]/.test(key) || key === "Process";
  if (/^[a-z0-9?]$/i.test(key)) return key.toLowerCase();
  if (letter && isForeign) return letter.toLowerCase();
  if (figure && (key.length === 1 || isForeign)) return figure;
  return code === "Slash" && shiftKey && isForeign ? "?" : key;
}

/** Whether an element handles a key itself: text fields, and the slider for keys that move it.
 * @param {HTMLElement} target @param {string} key */
function takes(target, key) {
  return target.id === "slider" ? key.length > 1 : /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** @param {Drawing} game @param {Table<Scene>} table @returns {Record<string, (event: KeyboardEvent) => void>} */
function keysOf(game, table) {
  const at = app.at ?? table.total;
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const actions = { z: () => takeBack(), h: switchHints, "?": openHelp, n: nextMistake };
  if (mine()) {
    table.scene.rack.forEach(
      (_tile, slot) => (actions[String(slot + 1)] = () => withHand(() => game.pick(table.scene, slot))),
    );
    for (const move of game.choices(table.scene))
      actions[move[0]] = actions[app.about.choices[move].key] = () => play(move);
  }
  if (mine() && game.hand) {
    const step = (/** @type {Way} */ name) => (/** @type {KeyboardEvent} */ event) =>
      withHand(() => game.step(table.scene, name, event.shiftKey));
    Object.assign(actions, {
      ArrowLeft: step("left"),
      ArrowRight: step("right"),
      ArrowUp: step("up"),
      ArrowDown: step("down"),
    });
    Object.assign(actions, { Enter: placeHand, Escape: () => withHand(() => game.drop()) });
    if (game.turn)
      Object.assign(actions, {
        r: (/** @type {KeyboardEvent} */ event) => withHand(() => game.turn?.(table.scene, event.shiftKey ? -1 : 1)),
        f: () => withHand(() => game.flip?.()),
      });
  } else {
    Object.assign(actions, {
      ArrowLeft: () => show(at - 1),
      ArrowRight: () => show(at + 1),
      Home: () => show(0),
      End: () => show(table.total),
    });
  }
  return actions;
}
