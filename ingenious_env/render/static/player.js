// A record played back on its own page, without a server (see `render/player.py`).

import { byId, parsed, put } from "./dom.js";
import { ReplayBar, nextSpeed, racks } from "./replay.js";

/** @import { Drawing, Position } from "./types.js" */

/** @param {new (look: any) => Drawing} Game the class that draws the game
 * @param {{ look: any, states: Position[] }} replay its look, and the states after each number of moves */
function play(Game, { look, states }) {
  const game = new Game(look);
  const total = states.length - 1;
  const none = { onMove() {}, onClick() {}, onWheel() {} };
  let [at, speed, timer] = [total, 0, 0];

  const show = (/** @type {number} */ wanted) => {
    at = Math.max(0, Math.min(total, wanted));
    draw();
  };
  const watch = () => {
    clearInterval(timer);
    speed = nextSpeed(speed);
    if (!speed) return draw();
    if (at === total) at = 0;
    timer = setInterval(() => {
      if (at === total) while (speed) watch();
      else show(at + 1);
    }, 1000 / speed);
    draw();
  };
  const draw = () => {
    const table = states[at];
    put(byId("others"), racks(table, game, table.last));
    put(byId("board"), game.board(table, none));
    put(byId("sheets"), game.sheets(table));
    bar.update(at, total, speed);
    byId("say").textContent = table.headline;
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    Home: () => show(0),
    End: () => show(total),
  };
  const bar = new ReplayBar(show, watch);
  byId("replay").replaceWith(bar.node);
  byId("defs").replaceChildren(...parsed(look.defs));
  document.body.classList.toggle("crowded", states[0].scene.scores.length > 2);
  addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  draw();
}

/** Unpack the content of the page, and play it. @param {new (look: any) => Drawing} Game */
export async function begin(Game) {
  const packed = Uint8Array.from(atob(byId("record").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  play(Game, await new Response(stream).json());
}
