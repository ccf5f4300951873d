// Settings for all games in this browser.

import { store, stored } from "./stored.js";

const STORE = "ingenious-settings";
const DEFAULTS = { confirm: false, warn: false, pace: true, sound: false, letters: true, coordinates: false };

/** @type {Record<string, any>} the boxes, and the `theme` */
export const settings = { ...DEFAULTS, ...known(stored(STORE)) };

/** The valid settings of an earlier visit. @param {Record<string, any>} found */
function known(found) {
  const fits = (/** @type {[string, any]} */ [name, value]) =>
    name in DEFAULTS ? typeof value === "boolean" : name === "theme" && ["dark", "light"].includes(value);
  return Object.fromEntries(Object.entries(found).filter(fits));
}

/** Change a setting; the others stay as they are stored, perhaps by another tab. @param {string} name @param {any} value */
export function set(name, value) {
  settings[name] = value;
  store(STORE, { ...stored(STORE), [name]: value });
}

/** Whether moves of others are shown one after the other. */
export const isPaced = () =>
  settings.pace && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
