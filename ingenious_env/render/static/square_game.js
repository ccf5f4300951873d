// Games whose tiles take one square each of a rectangular board: the board, the rack and the scores.
// A game derives a class with the pictures of its tiles and its words.

import { badge, byId, h, named, put, s } from "./dom.js";
import { DRAWING } from "./drawing_texts.js";
import { place } from "./replay.js";
import { SquareMoves } from "./square_moves.js";
import { SQUARES } from "./square_texts.js";

/** @import { Advice, BoardEvents, Child, Last, SquareScene, Table } from "./types.js" */

/** @abstract */
export class SquareGame extends SquareMoves {
  // What a game supplies.

  /** The picture of a tile about the origin; of one off the board without a square.
   * @abstract @param {any} _tile @param {number} [_row] @param {number} [_column] @returns {Child[]} */
  drawn(_tile, _row, _column) {
    return [];
  }

  /** The name of a tile. @abstract @param {any} tile @returns {string} */
  tileName(tile) {
    return String(tile);
  }

  /** The picture of an empty square about the origin. @param {number} _row @param {number} _column @returns {Child[]} */
  square(_row, _column) {
    return [s("rect", { ...this.box(), class: "square" })];
  }

  /** The name of an empty square. @param {number} _row @param {number} _column */
  squareName(_row, _column) {
    return DRAWING.empty;
  }

  /** Why no tile lies or can lie on a square. @param {SquareScene} scene @param {number} cell */
  whyNot(scene, cell) {
    const taken = scene.tiles.some(([row, column]) => this.cellOf(row, column) === cell);
    return taken ? DRAWING.taken : this.misfit();
  }

  /** Why a tile does not fit on an empty square. */
  misfit() {
    return SQUARES.misfit;
  }

  /** The mark of the game. @returns {Child} */
  emblem() {
    return null;
  }

  /** The next step of the seat to move. @param {Table} table @returns {string} */
  say({ scene }) {
    if (!this.hand) return DRAWING.choose;
    if (!this.places(scene).length) return SQUARES.nowhere;
    return matchMedia("(hover: none)").matches ? SQUARES.tap : SQUARES.click;
  }

  // The board.

  /** @param {Table<SquareScene>} table @param {BoardEvents} ui */
  board(table, ui) {
    const { scene } = table;
    const [rows, columns] = this.look.size;
    const laid = new Map(scene.tiles.map(([row, column, ...tile]) => [this.cellOf(row, column), tile]));
    const parts = Array.from({ length: rows * columns }, (_, cell) => {
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      const tile = laid.get(cell);
      const picture = tile ? this.drawn(tile, row, column) : this.square(row, column);
      const name = tile ? this.tileName(tile) : this.squareName(row, column);
      const attributes = { transform: this.moved(row, column), class: tile ? "cell" : "cell blank", "data-cell": cell };
      return s("g", attributes, s("title", {}, `${row},${column} ${name}`), picture);
    });
    const last = scene.laid_order[scene.laid_order.length - 1];
    if (last) parts.push(s("rect", { ...this.box(), transform: this.moved(last[0], last[1]), class: "last" }));
    const [width, height] = [columns * this.look.square, rows * this.look.square];
    const label = { role: "img", "aria-label": DRAWING.board(scene.tiles.length) };
    const svg = s(
      "svg",
      { viewBox: `-2 -2 ${width + 4} ${height + 4}`, class: "board", ...label },
      parts,
      s("g", { id: "overlay" }),
    );
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
    const inside = row >= 0 && column >= 0 && row < this.look.size[0] && column < this.look.size[1];
    return { cell: inside ? this.cellOf(row, column) : null, direction: 0 };
  }

  /** Draw what lies over the board: hints, the tile in hand, what it scores, where it may lie, and a better move.
   * @param {Table<SquareScene>} table @param {Advice | null} advice @param {string | null} better */
  overlay(table, advice, better) {
    const group = byId("overlay");
    if (!group) return;
    const { scene } = table;
    const board = group.ownerSVGElement;
    board.classList.toggle("choosing", Boolean(this.hand));
    const open = new Set(this.places(scene).map(([row, column]) => this.cellOf(row, column)));
    for (const cell of board.querySelectorAll(".cell"))
      cell.classList.toggle("open", open.has(Number(cell.dataset.cell)));
    const parts = this.places(scene).map(([row, column, points]) =>
      s("text", { transform: this.moved(row, column), y: 5, class: "hint" }, `+${points}`),
    );
    const numbered = new Set();
    (advice ? advice.list : []).forEach((entry, number) => {
      const at = entry.places && this.moved(entry.places[0][0], entry.places[0][1]);
      if (!at || this.hand || numbered.size === 4 || numbered.has(at)) return; // the best number of a square
      numbered.add(at);
      parts.push(s("g", { transform: at }, s("rect", { ...this.box(), class: "candidate" }), badge(number)));
    });
    const wanted = better && this.laid(better);
    const ghost = () => s("rect", { ...this.box(), class: "ghost" });
    if (wanted)
      parts.push(
        s("g", { class: "better", transform: this.moved(wanted.row, wanted.column) }, this.drawn(wanted.tile), ghost()),
      );
    if (this.hand && this.hand.square) {
      const [row, column, points] = this.hand.square;
      const corner = `translate(${0.55 * this.look.square} ${-0.55 * this.look.square})`;
      const oval = s("rect", { x: -17, y: -11, width: 34, height: 22, rx: 11 });
      const chip = s("g", { class: "chip", transform: corner }, oval, s("text", { y: 5 }, `+${points}`));
      parts.push(s("g", { transform: this.moved(row, column) }, this.drawn(scene.rack[this.hand.slot]), ghost(), chip));
    }
    put(group, parts);
  }

  // Tiles off the board.

  /** The viewBox of a tile about the origin. */
  around() {
    const half = 0.55 * this.look.square;
    return `${-half} ${-half} ${2 * half} ${2 * half}`;
  }

  /** @param {any} tile @param {string} [name] */
  tile(tile, name = "") {
    return s("svg", { viewBox: this.around(), class: "tile square-tile", ...named(name) }, this.drawn(tile));
  }

  back() {
    return s("svg", { viewBox: this.around(), class: "mini square-tile", ...named("") }, s("use", { href: "#back" }));
  }

  /** The name of a move: its tile, or the choice. @param {string} move */
  moveName(move) {
    const found = this.laid(move);
    return found ? this.tileName(found.tile) : this.choiceName(move);
  }

  /** The name of a choice in a sentence. @param {string} choice */
  choiceName(choice) {
    return choice;
  }

  /** @returns {Child[]} */
  shown() {
    return [];
  }

  /** @param {Last} last */
  played(last) {
    const found = this.laid(last.move);
    if (!found) return [h("span", {}, this.choiceName(last.move))];
    return [
      h("span", {}, DRAWING.played),
      this.tile(found.tile, this.tileName(found.tile)),
      h("span", {}, ` +${last.gains ?? 0}`),
    ];
  }

  // Scores, and what can be chosen.

  /** @param {Table<SquareScene>} table @returns {any[]} */
  sheets(table) {
    return table.scene.scores.map((score, seat) => {
      const moves = !table.terminal && seat === table.to_play;
      const mine = moves && !table.over && table.at === table.total && table.yours.includes(seat);
      const gain = mine && this.hand && this.hand.square ? this.hand.square[2] : 0;
      const note = table.ranks ? place(table.ranks, seat) : moves ? (mine ? DRAWING.own : DRAWING.turn) : "";
      return h(
        "section",
        { class: moves ? "sheet turn" : "sheet" },
        h("header", {}, h("b", {}, table.names[seat]), h("span", {}, note)),
        h("p", { class: "score" }, String(score), gain > 0 && h("em", {}, ` +${gain}`)),
      );
    });
  }

  /** @param {Table<SquareScene>} table */
  strip(table) {
    return table.scene.scores.map((score, seat) =>
      h("div", { class: "two" }, h("b", {}, table.names[seat]), h("span", {}, String(score))),
    );
  }

  /** @param {SquareScene} scene */
  choices(scene) {
    return this.hand && this.hand.square ? [] : scene.choices || [];
  }

  /** @param {Table<SquareScene>} _table */
  placeText(_table) {
    return this.hand && this.hand.square ? SQUARES.lay(this.hand.square[2]) : null;
  }
}
