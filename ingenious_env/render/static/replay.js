// Shared by the browser game and the player of records: the racks above the board, and the replay bar.

import { h, put, s } from "./dom.js";
import { DRAWING } from "./drawing_texts.js";
import { partnerNote } from "./partners.js";

/** @import { Child, Drawing, Last, Position, Scene } from "./types.js" */

const SIGNS = {
  first: "M5 4v12M16 4L8 10l8 6z",
  previous: "M14 4L6 10l8 6z",
  next: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
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
    const buttons = /** @type {(keyof typeof SIGNS)[]} */ (Object.keys(SIGNS)).map((id) =>
      h(
        "button",
        { id, class: "icon", "aria-label": DRAWING[id], onclick: () => show(goals[id]()) },
        s("svg", { viewBox: "0 0 20 20", width: 16 }, s("path", { d: SIGNS[id], class: "sign" })),
      ),
    );
    this.slider = h("input", {
      id: "slider",
      type: "range",
      min: 0,
      "aria-label": DRAWING.slider,
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
    this.number.textContent = DRAWING.move(at);
    this.watch.textContent = speed ? `×${speed}` : DRAWING.watch;
    put(this.more, more);
  }
}

/** A line for each player that is not the viewer, also for the viewer once racks are open and there are tiles on the own
 * one, and the number of tiles in the bag.
 * @param {Last | null} last the last move, where it is shown
 * @param {Position} table @param {Drawing} game @param {(seat: number) => any} [extra] what follows a line @returns {Child[]} */
export function racks(table, game, last, extra) {
  const rows = table.names.map((name, seat) => {
    if (seat === table.seat && !table.revealed?.[seat].length) return null;
    const rack = table.revealed
      ? table.revealed[seat].map((tile) => game.tile(tile, game.tileName(tile)))
      : Array.from({ length: table.scene.sizes[seat] }, () => game.back());
    const played = last && last.seat === seat ? game.played(last) : [];
    const note = partnerNote(game.look.sheets, seat, table.seat, table.names);
    return h(
      "div",
      { class: "other" },
      h("b", {}, name),
      note && h("span", { class: "partner" }, note),
      h(
        "span",
        { class: "backs", role: table.revealed ? "group" : "img", "aria-label": DRAWING.rack(table.scene.sizes[seat]) },
        rack,
      ),
      h("span", { class: "played" }, played),
      !table.revealed && shownTiles(game, table.scene, seat),
      extra && extra(seat),
    );
  });
  return [...rows, h("span", { class: "bag" }, DRAWING.bag(table.scene.bag))];
}

/** The tiles shown in a swap. @param {Drawing} game @param {Scene} scene @param {number} seat */
function shownTiles(game, scene, seat) {
  const tiles = game.shown(scene, seat);
  return tiles.length > 0 && h("span", { class: "backs shown", title: DRAWING.shown }, DRAWING.showed, tiles);
}

/** A rank among others, in words. @param {number[]} ranks @param {number} sheet */
export function place(ranks, sheet) {
  if (ranks.length === 1) return "";
  const rank = ranks[sheet];
  return DRAWING.place(rank, ranks.filter((each) => each === rank).length > 1);
}
