// Settings for all games in this browser.

import { store, stored } from "./stored.js";

const STORE = "ingenious-settings";
const DEFAULTS = { confirm: false, warn: false, pace: true, sound: false, letters: true };

/** @type {Record<string, any>} the boxes, and the `theme` */
export const settings = { ...DEFAULTS, ...known(stored(STORE)) };

/** The valid settings of an earlier visit. @param {Record<string, any>} found */
function known(found) {
  const fits = (/** @type {[string, any]} */ [name, value]) =>
    name in DEFAULTS ? typeof value === "boolean" : name === "theme" && ["dark", "light"].includes(value);
  return Object.fromEntries(Object.entries(found).filter(fits));
}

/** @param {string} name @param {any} value */
export function set(name, value) {
  settings[name] = value;
  store(STORE, settings);
}

/** Whether moves of others are shown one after the other. */
export const isPaced = () =>
  settings.pace && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {AudioContext | null} */
let audio = null;

/** The sound of a tile that is laid, if sounds are on. */
export function click() {
  if (!settings.sound) return;
  audio ||= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.frequency.setValueAtTime(520, now);
  tone.frequency.exponentialRampToValueAtTime(160, now + 0.06);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
