// Loopit on the page: the board, the rack, the tile in hand and the scores.

import { badge, byId, h, named, put, s } from "../../../render/static/dom.js";
import { place } from "../../../render/static/replay.js";

/** @import { Hand, Look, Place, Scene, Table, Tile } from "./types.js" */
/** @import { Advice, BoardEvents, Last, Way } from "../../../render/static/types.js" */

/** @type {Record<string, number>} */
const BITS = { N: 1, E: 2, S: 4, W: 8 };

export class Game {
  /** @param {Look} look the constant part (see the server's `board_look`) */
  constructor(look) {
    this.look = look;
    /** @type {Hand | null} */
    this.hand = null;
  }

  // The tile in hand.

  /** @param {Scene} scene @param {number} slot */
  pick(scene, slot) {
    const again = this.hand && this.hand.slot === slot;
    this.hand = again || slot >= scene.rack.length ? null : { slot, square: null, fixed: false };
  }

  /** The tile and the square of a move in the game's notation; null if it lays none. @param {string} move
   * @returns {{ tile: Tile, row: number, column: number } | null} */
  laid(move) {
    const found = move.match(/^([NESW]+)(\d+)@(\d+),(\d+)$/);
    return found && { tile: [found[1], Number(found[2])], row: Number(found[3]), column: Number(found[4]) };
  }

  /** Pick the tile of a move, and put it at its place. @param {Scene} scene @param {string} move */
  take(scene, move) {
    const { tile, row, column } = /** @type {any} */ (this.laid(move));
    this.hand = { slot: scene.rack.findIndex((each) => String(each) === String(tile)), square: null, fixed: true };
    this.aim(scene, this.cellOf(row, column));
  }

  drop() {
    this.hand = null;
  }

  /** The slot that represents one on the rack: of equal tiles the first. @param {Scene} scene @param {number} slot */
  first(scene, slot) {
    return scene.rack.findIndex((tile) => String(tile) === String(scene.rack[slot]));
  }

  /** The legal squares of the tile in hand. @param {Scene} scene @returns {Place[]} */
  places(scene) {
    if (!this.hand) return [];
    const slot = this.first(scene, this.hand.slot);
    return (scene.legal || []).filter((each) => each[0] === slot).map(([, row, column, points]) => [row, column, points]);
  }

  /** @param {Scene} scene @param {number | null} cell */
  aim(scene, cell) {
    if (!this.hand) return;
    const found = cell === null ? null : this.places(scene).find(([row, column]) => this.cellOf(row, column) === cell);
    this.hand.square = found || null;
  }

  /** @param {Scene} scene @param {number} cell */
  tap(scene, cell) {
    if (!this.hand) return;
    this.hand.fixed = true;
    this.aim(scene, cell);
  }

  /** Move the tile to the next legal square in a direction. @param {Scene} scene @param {Way} name */
  step(scene, name) {
    if (!this.hand) return;
    this.hand.fixed = true;
    const places = this.places(scene);
    if (!places.length) return;
    const from = this.hand.square;
    if (!from) return void (this.hand.square = places[0]);
    /** @type {Record<Way, [0 | 1, number]>} */
    const ways = { left: [1, -1], right: [1, 1], up: [0, -1], down: [0, 1] };
    const [axis, sign] = ways[name];
    const ahead = (/** @type {Place} */ square) => {
      const steps = sign * (square[axis] - from[axis]);
      return steps > 0 ? steps + 3 * Math.abs(square[1 - axis] - from[1 - axis]) : Infinity;
    };
    const best = [...places].sort((one, other) => ahead(one) - ahead(other))[0];
    if (ahead(best) < Infinity) this.hand.square = best;
  }

  /** Why the tile in hand cannot lie on a square. @param {Scene} scene @param {number} cell */
  whyNot(scene, cell) {
    const taken = scene.tiles.some(([row, column]) => this.cellOf(row, column) === cell);
    return taken ? "A tile lies there." : "The tile does not fit there: its lines must meet those of all tiles beside it, go on from one of them, and not end at the edge of the board.";
  }

  /** The move in the game's notation. @param {Scene} scene */
  moveText(scene) {
    if (!this.hand || !this.hand.square) return null;
    const [ends, value] = scene.rack[this.hand.slot];
    return `${ends}${value}@${this.hand.square[0]},${this.hand.square[1]}`;
  }

  /** @param {number} row @param {number} column */
  cellOf(row, column) {
    return row * this.look.factors[0].length + column;
  }

  // The board.

  /** @param {Table} table @param {BoardEvents} ui */
  board(table, ui) {
    const { scene } = table;
    const { look } = this;
    const laid = new Map(scene.tiles.map(([row, column, ends, value]) => [this.cellOf(row, column), [ends, value]]));
    const parts = look.factors.flatMap((factors, row) => factors.map((factor, column) => {
      const tile = laid.get(this.cellOf(row, column));
      const drawn = tile ? this.drawn(tile, factor) : this.square(row, column, factor);
      const name = tile ? `${tile[0]} ${tile[1]}` : factor > 1 ? `empty, ${factor} times` : "empty";
      return s("g", { transform: this.moved(row, column), class: tile ? "cell" : "cell blank", "data-cell": this.cellOf(row, column) }, s("title", {}, `${row},${column} ${name}`), drawn);
    }));
    const last = scene.laid_order[scene.laid_order.length - 1];
    if (last) parts.push(s("rect", { ...this.box(), transform: this.moved(last[0], last[1]), class: "last" }));
    const [width, height] = [look.factors[0].length * look.square, look.factors.length * look.square];
    const svg = s("svg", { viewBox: `-2 -2 ${width + 4} ${height + 4}`, class: "board", role: "img", "aria-label": `Board with ${scene.tiles.length} tiles` }, parts, s("g", { id: "overlay" }));
    svg.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => ui.onMove(event, this.at(svg, event)));
    svg.addEventListener("click", (/** @type {PointerEvent} */ event) => ui.onClick(event, this.at(svg, event)));
    return svg;
  }

  /** @param {number} row @param {number} column */
  moved(row, column) {
    return `translate(${(column + 0.5) * this.look.square} ${(row + 0.5) * this.look.square})`;
  }

  box() {
    const { side } = this.look;
    return { x: -side / 2, y: -side / 2, width: side, height: side, rx: 5 };
  }

  /** @param {SVGSVGElement} svg @param {MouseEvent} event */
  at(svg, event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    const [row, column] = [Math.floor(point.y / this.look.square), Math.floor(point.x / this.look.square)];
    const inside = row >= 0 && column >= 0 && row < this.look.factors.length && column < this.look.factors[0].length;
    return { cell: inside ? this.cellOf(row, column) : null, direction: 0 };
  }

  /** @param {number} row @param {number} column @param {number} factor */
  square(row, column, factor) {
    const [startRow, startColumn] = this.look.start;
    return [
      s("rect", { ...this.box(), class: factor > 1 ? `square f${Math.min(factor, 7)}` : "square" }),
      row === startRow && column === startColumn && s("circle", { r: 14, class: "start" }),
      factor > 1 && s("text", { y: 6, class: "factor" }, `${factor}×`),
    ];
  }

  /** @param {any[]} tile @param {number} factor */
  drawn([ends, value], factor) {
    const bits = [...ends].reduce((sum, end) => sum + BITS[end], 0);
    return [
      s("rect", { ...this.box(), class: factor > 1 ? `body rim f${Math.min(factor, 7)}` : "body" }),
      s("use", { href: `#lines${bits}` }),
      s("text", { y: 5.3, class: "value" }, String(value)),
    ];
  }

  /** Draw the overlay of the board: hints, the tile in hand, its points and legal places, and a better move. @param {Table} table @param {Advice | null} advice @param {string | null} better */
  overlay(table, advice, better) {
    const group = byId("overlay");
    if (!group) return;
    const { scene } = table;
    const board = group.ownerSVGElement;
    board.classList.toggle("choosing", Boolean(this.hand));
    const open = new Set(this.places(scene).map(([row, column]) => this.cellOf(row, column)));
    for (const cell of board.querySelectorAll(".cell")) cell.classList.toggle("open", open.has(Number(cell.dataset.cell)));
    const parts = this.places(scene).map(([row, column, points]) => s("text", { transform: this.moved(row, column), y: 5, class: "hint" }, `+${points}`));
    const numbered = new Set();
    (advice ? advice.list : []).forEach((entry, number) => {
      const at = entry.places && this.moved(entry.places[0][0], entry.places[0][1]);
      if (!at || this.hand || numbered.size === 4 || numbered.has(at)) return; // the best number of a square
      numbered.add(at);
      parts.push(s("g", { transform: at }, s("rect", { ...this.box(), class: "candidate" }), badge(number)));
    });
    const wanted = better && this.laid(better);
    if (wanted) parts.push(s("g", { class: "better", transform: this.moved(wanted.row, wanted.column) }, this.drawn(wanted.tile, 1), s("rect", { ...this.box(), class: "ghost" })));
    if (this.hand && this.hand.square) {
      const [row, column, points] = this.hand.square;
      parts.push(s("g", { transform: this.moved(row, column) }, this.drawn(scene.rack[this.hand.slot], 1), s("rect", { ...this.box(), class: "ghost" }),
        s("g", { class: "chip", transform: `translate(${0.55 * this.look.square} ${-0.55 * this.look.square})` }, s("rect", { x: -17, y: -11, width: 34, height: 22, rx: 11 }), s("text", { y: 5 }, `+${points}`))));
    }
    put(group, parts);
  }

  // Tiles outside the board.

  /** The viewBox of a tile about the origin. */
  around() {
    const half = 0.55 * this.look.square;
    return `${-half} ${-half} ${2 * half} ${2 * half}`;
  }

  /** @param {any[]} tile @param {string} [name] */
  tile(tile, name = "") {
    return s("svg", { viewBox: this.around(), class: "tile square-tile", ...named(name) }, this.drawn(tile, 1));
  }

  /** @param {any[]} tile */
  tileName([ends, value]) {
    /** @type {Record<string, string>} */
    const words = { N: "up", E: "right", S: "down", W: "left" };
    return `${value}, ${[...ends].map((end) => words[end]).join(" ")}`;
  }

  back() {
    return s("svg", { viewBox: this.around(), class: "mini square-tile", ...named("") }, s("use", { href: "#back" }));
  }

  /** The text of a move: its tile, or the choice. @param {string} move */
  moveName(move) {
    const found = this.laid(move);
    return found ? this.tileName(found.tile) : move;
  }

  shown() {
    return [];
  }

  emblem() {
    return this.tile(["NE", 5]);
  }

  /** @param {Last} last */
  played(last) {
    const found = this.laid(last.move);
    if (!found) return [h("span", {}, last.move)];
    return [h("span", {}, "played "), this.tile(found.tile, this.tileName(found.tile)), h("span", {}, ` +${last.gains ?? 0}`)];
  }

  /** @param {Table} table @returns {any[]} */
  sheets(table) {
    return table.scene.scores.map((score, seat) => {
      const moves = !table.terminal && seat === table.to_play;
      const mine = moves && !table.over && table.at === table.total && table.yours.includes(seat);
      const gain = mine && this.hand && this.hand.square ? this.hand.square[2] : 0;
      const note = table.ranks ? place(table.ranks, seat) : moves ? (mine ? "your turn" : "to move") : "";
      return h("section", { class: moves ? "sheet turn" : "sheet" }, h("header", {}, h("b", {}, table.names[seat]), h("span", {}, note)),
        h("p", { class: "score" }, String(score), gain > 0 && h("em", {}, ` +${gain}`)));
    });
  }

  /** @param {Table} table */
  strip(table) {
    return table.scene.scores.map((score, seat) => h("div", { class: "two" }, h("b", {}, table.names[seat]), h("span", {}, String(score))));
  }

  /** The prompt for the seat to move. @param {Table} table */
  say({ scene }) {
    if (scene.stuck) return "None of your tiles fits. Throw them back for new ones, or keep them.";
    if (this.hand && !this.places(scene).length) return "This tile fits nowhere: choose another one.";
    if (this.hand) return matchMedia("(hover: none)").matches ? "Tap where it goes." : "Choose where it goes. Click to lay it, Esc puts it back.";
    const { left, laid, choices } = scene;
    return `Your turn: lay ${left === 1 ? "one" : `up to ${left}`}${laid ? " more" : ""} tile${left === 1 ? "" : "s"}${choices?.includes("stop") ? ", or stop" : ""}.`;
  }

  /** @param {Scene} scene @returns {[string, string][]} */
  choices(scene) {
    const words = { stop: "Stop", "throw back": "Throw back", keep: "Keep" };
    if (this.hand && this.hand.square) return [];
    return (scene.choices || []).map((name) => [name, words[name]]);
  }

  /** @param {Table} _table */
  placeText(_table) {
    return this.hand && this.hand.square ? `Lay +${this.hand.square[2]}` : null;
  }
}
