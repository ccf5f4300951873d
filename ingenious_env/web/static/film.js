// A film of the board, as a GIF; loaded on first use.

import { gif, reduced } from "./gif.js";
import { boardPicture } from "./picture.js";
import { TEXTS } from "./share_texts.js";
import { app, show } from "./store.js";
import { setSpeed } from "./watch.js";

const WIDTH = 480; // pixels
const DELAY = 60; // hundredths of a second
const LAST = 300;

/** The board as it is drawn, in colours of 15 bits. @param {CanvasRenderingContext2D} canvas */
async function frame(canvas) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(await boardPicture().text())}`;
  await image.decode();
  if (canvas.canvas.width !== WIDTH) {
    canvas.canvas.width = WIDTH;
    canvas.canvas.height = Math.round((WIDTH * image.height) / image.width);
  }
  const { width, height } = canvas.canvas;
  canvas.drawImage(image, 0, 0, width, height);
  return reduced(canvas.getImageData(0, 0, width, height).data);
}

/** All positions of the table so far, one after the other; null if one cannot be shown, as when the page is left.
 * @param {(shown: number, total: number) => void} progress */
export async function film(progress) {
  const { id, total } = app.table;
  const before = app.at;
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error(TEXTS.noPictures);
  if (app.speed) setSpeed(0);
  const frames = [];
  for (let at = 0; at <= total; at++) {
    await show(at);
    if (app.table.id !== id || app.table.at !== at) return null;
    frames.push(await frame(canvas));
    progress(at, total);
  }
  await show(before ?? app.table.total);
  return gif(frames, canvas.canvas.width, canvas.canvas.height, DELAY, LAST);
}
