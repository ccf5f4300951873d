// Shared by the browser game and the player of records: the racks above the board, and the replay bar.

import { h, put, s } from "./dom.js";

/** @import { Child, Drawing, Last, Position, Scene } from "./types.js" */

const SIGNS = {
  first: ["First move", "M5 4v12M16 4L8 10l8 6z"],
  previous: ["Move before", "M14 4L6 10l8 6z"],
  next: ["Next move", "M6 4l8 6-8 6z"],
  last: ["Latest move", "M15 4v12M4 4l8 6-8 6z"],
};
const SPEEDS = [0, 1, 2, 4];

/** The next speed in the cycle, in moves per second; 0 is paused. @param {number} speed */
export const nextSpeed = (speed) => SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];

/** Buttons and a slider that go to the position after a number of moves. The elements are never replaced, as replacing a
 * slider while it is dragged would end the drag. */
export class ReplayBar {
  #at = 0;
  #total = 0;

  /** @param {(at: number) => void} show @param {() => void} watch */
  constructor(show, watch) {
    /** @type {Record<string, () => number>} */
    const goals = { first: () => 0, previous: () => this.#at - 1, next: () => this.#at + 1, last: () => this.#total };
    const buttons = Object.entries(SIGNS).map(([id, [label, path]]) =>
      h(
        "button",
        { id, class: "icon", "aria-label": label, onclick: () => show(goals[id]()) },
        s("svg", { viewBox: "0 0 20 20", width: 16 }, s("path", { d: path, class: "sign" })),
      ),
    );
    this.slider = h("input", {
      id: "slider",
      type: "range",
      min: 0,
      "aria-label": "Move",
      oninput: (event) => show(Number(event.target.value)),
    });
    this.number = h("span", {});
    this.watch = h("button", { id: "watch", onclick: watch });
    this.more = h("span", {});
    this.node = h("div", { id: "replay" }, buttons, this.slider, this.number, this.watch, this.more);
  }

  /** @param {number} at @param {number} total @param {number} speed @param {...any} more what follows */
  update(at, total, speed, ...more) {
    [this.#at, this.#total] = [at, total];
    this.slider.max = String(total);
    this.slider.value = String(at);
    this.number.textContent = `move ${at}`;
    this.watch.textContent = speed ? `×${speed}` : "Watch";
    put(this.more, more);
  }
}

/** A line for each player that is not the viewer, or for all once the racks are open, and the number of tiles in the bag.
 * @param {Last | null} last the last move, where it is shown
 * @param {Position} table @param {Drawing} game @param {(seat: number) => any} [extra] what follows a line @returns {Child[]} */
export function racks(table, game, last, extra) {
  const rows = table.names.map((name, seat) => {
    if (seat === table.seat && !table.revealed) return null;
    const rack = table.revealed
      ? table.revealed[seat].map((tile) => game.tile(tile, game.tileName(tile)))
      : Array.from({ length: table.scene.sizes[seat] }, () => game.back());
    const played = last && last.seat === seat ? game.played(last) : [];
    return h(
      "div",
      { class: "other" },
      h("b", {}, name),
      h(
        "span",
        { class: "backs", role: table.revealed ? "group" : "img", "aria-label": `${table.scene.sizes[seat]} tiles` },
        rack,
      ),
      h("span", { class: "played" }, played),
      !table.revealed && shownTiles(game, table.scene, seat),
      extra && extra(seat),
    );
  });
  return [...rows, h("span", { class: "bag" }, `${table.scene.bag} tiles in the bag`)];
}

/** The tiles shown in a swap. @param {Drawing} game @param {Scene} scene @param {number} seat */
function shownTiles(game, scene, seat) {
  const tiles = game.shown(scene, seat);
  return tiles.length > 0 && h("span", { class: "backs shown", title: "shown by a swap" }, "showed ", tiles);
}

/** A rank among others, in words. @param {number[]} ranks @param {number} sheet */
export function place(ranks, sheet) {
  if (ranks.length === 1) return "";
  const rank = ranks[sheet];
  const shared = ranks.filter((each) => each === rank).length > 1 ? ", shared" : "";
  return `${["", "1st", "2nd", "3rd"][rank] || `${rank}th`}${shared}`;
}
