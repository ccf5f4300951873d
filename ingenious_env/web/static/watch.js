// A game played back by itself.

import { app, emit, show } from "./store.js";

let timer = 0;

/** Play the game back from the move that is shown, or stop. @param {number} speed in moves per second */
export function setSpeed(speed) {
  clearInterval(timer);
  Object.assign(app, { speed, paced: false });
  if (!speed) return emit("speed");
  if (app.at === null) show(0);
  const { id } = app.table;
  timer = setInterval(() => {
    // The table may be another, or opened anew.
    if (app.table.id !== id || !app.speed) clearInterval(timer);
    else if (app.at === null) setSpeed(0);
    else show(app.at + 1);
  }, 1000 / speed);
  emit("speed");
}
