// The sounds of a game; loaded with the first one that is heard.

import { app } from "./store.js";

/** @import { Table } from "./types.js" */

/** The frequencies in hertz between which a tone glides, and when it begins and how long it lasts, in seconds.
 * @typedef {[from: number, to: number, begin: number, length: number]} Tone */

/** By the event. @type {Record<string, Tone[]>} */
export const SOUNDS = {
  tile: [[520, 160, 0, 0.09]],
  many: [
    [523, 523, 0, 0.14],
    [659, 659, 0.09, 0.14],
    [784, 784, 0.18, 0.24],
  ],
  choice: [
    [300, 420, 0, 0.14],
    [420, 300, 0.13, 0.14],
  ],
  end: [
    [523, 523, 0, 0.2],
    [392, 392, 0.17, 0.2],
    [523, 523, 0.34, 0.5],
    [659, 659, 0.34, 0.5],
  ],
};
const GLIDE = 2 / 3; // of the length of a tone
const LOUD = 0.25;
const SILENT = 0.001; // the volume falls exponentially, which zero does not allow

/** @type {AudioContext | null} */
let audio = null;

/** What the last move was: the end of the game, many points or a full counter, a tile, or a named choice.
 * @param {Table} table */
function eventOf(table) {
  const { last, terminal } = table;
  const { game } = app;
  if (terminal) return "end";
  if (!last || last.gains === undefined) return "choice";
  const points = [last.gains].flat().reduce((sum, gain) => sum + gain, 0);
  return game.banner?.(table) || (game.high && points >= game.high) ? "many" : "tile";
}

/** Sound the last move. @param {Table} table */
export function sound(table) {
  audio ||= new AudioContext();
  for (const tone of SOUNDS[eventOf(table)]) play(audio, tone);
}

/** @param {AudioContext} audio @param {Tone} tone */
function play(audio, [from, to, begin, length]) {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  const start = audio.currentTime + begin;
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + GLIDE * length);
  volume.gain.setValueAtTime(LOUD, start);
  volume.gain.exponentialRampToValueAtTime(SILENT, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}
