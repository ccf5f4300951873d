// A game played back by itself.

import { app, emit, show } from "./store.js";

let timer = 0;

/** Play the game back from the move that is shown, or stop. @param {number} speed in moves per second */
export function setSpeed(speed) {
  clearInterval(timer);
  Object.assign(app, { speed, paced: false });
  if (!speed) return emit("speed");
  if (app.at === null) show(0);
  timer = setInterval(() => {
    if (app.at === null || !app.speed) setSpeed(0);
    else show(app.at + 1);
  }, 1000 / speed);
  emit("speed");
}
