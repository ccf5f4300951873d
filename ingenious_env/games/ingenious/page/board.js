// The board of Ingenious, its overlay, and the tiles outside it.

import { badge, byId, capsule, h, named, put, s } from "../../../render/static/dom.js";
import { DRAWING } from "../../../render/static/drawing_texts.js";
import { Preview } from "./hand.js";
import { INGENIOUS } from "./texts.js";

/** @import { Half, Scene, Table, Tile } from "./types.js" */
/** @import { Advice, BoardEvents, Last } from "../../../render/static/types.js" */

export class Board extends Preview {
  // The board.

  /** @param {Table} table @param {BoardEvents} ui */
  board(table, ui) {
    const { scene, last } = table;
    const { look } = this;
    const edge = (1.5 * (look.side - 1) + 1.6) * look.cell;
    const across = (edge * 2) / Math.sqrt(3);
    const rim = [0, 1, 2, 3, 4, 5]
      .map((k) => `${(across - 2) * Math.cos((k * Math.PI) / 3)} ${(across - 2) * Math.sin((k * Math.PI) / 3)}`)
      .join("L");
    const parts = [s("path", { d: `M${rim}Z`, class: "frame" })];
    for (const tile of scene.tiles) parts.push(this.body(tile));
    look.middles.forEach(([x, y], cell) => {
      const symbol = this.symbols.get(cell);
      const value = Number(scene.board[cell]);
      const kind = symbol ? `start${symbol}` : value ? `half${value}` : "empty";
      const name = symbol
        ? INGENIOUS.symbol(look.colours[symbol - 1][0])
        : value
          ? look.colours[value - 1][0]
          : DRAWING.empty;
      const use = s("use", {
        href: `#${kind}`,
        x,
        y,
        class: kind === "empty" ? "cell blank" : "cell",
        "data-cell": cell,
      });
      use.append(s("title", {}, `${look.cells[cell]} ${name}`));
      parts.push(use);
    });
    const laid = scene.tiles[scene.tiles.length - 1];
    if (laid && last) {
      const [a, b] = laid.map((cell) => look.middles[cell]);
      parts.push(s("path", { d: capsule(a, b, look.ring), class: "last" }));
    }
    const box = `${-across} ${-edge} ${2 * across} ${2 * edge}`;
    const svg = s("svg", {
      viewBox: box,
      class: "board",
      role: "img",
      "aria-label": DRAWING.board(scene.tiles.length),
    });
    svg.append(...parts, s("g", { id: "overlay" }));
    svg.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => ui.onMove(event, this.at(svg, event)));
    svg.addEventListener("click", (/** @type {PointerEvent} */ event) => ui.onClick(event, this.at(svg, event)));
    svg.addEventListener("wheel", (/** @type {WheelEvent} */ event) => ui.onWheel(event), { passive: false });
    return svg;
  }

  /** @param {number[]} tile */
  body([a, b]) {
    const [first, second] = a < b ? [a, b] : [b, a];
    const direction = this.neighbours[first].indexOf(second);
    const [x, y] = this.look.middles[first];
    return s("use", { href: `#tile${direction}`, x, y });
  }

  /** The cell at the pointer, and the direction from its middle to there. @param {SVGSVGElement} svg @param {MouseEvent} event */
  at(svg, event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    let best = -1;
    let least = this.look.cell ** 2;
    this.look.middles.forEach(([x, y], cell) => {
      const distance = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (distance < least) [best, least] = [cell, distance];
    });
    if (best < 0) return { cell: null, direction: 0 };
    const [x, y] = this.look.middles[best];
    const angle = (Math.atan2(point.y - y, point.x - x) * 180) / Math.PI;
    return { cell: best, direction: (Math.round(angle / 60) + 6) % 6 };
  }

  /** Draw the overlay of the board: hints, the tile in hand, its points and legal places, and a better move.
   * @param {Table} table @param {Advice | null} advice @param {string | null} better */
  overlay(table, advice, better) {
    const group = byId("overlay");
    if (!group) return;
    const { scene } = table;
    const { look } = this;
    const parts = [];
    const board = group.ownerSVGElement;
    board.classList.toggle("choosing", Boolean(this.hand));
    if (this.hand) {
      const reach = new Set([...this.openPairs(scene)].flatMap((pair) => look.pairs[pair]));
      for (const use of board.querySelectorAll(".cell"))
        use.classList.toggle("open", reach.has(Number(use.dataset.cell)));
    }
    if (advice) parts.push(...this.advised(advice));
    const wanted = better && this.laid(better);
    if (wanted) parts.push(s("g", { class: "better" }, this.ghost(wanted)));
    const halves = this.halves(scene);
    if (halves) {
      const points = halves.map(({ cell }) => look.middles[cell]);
      const [body, ring] = this.ghost(halves);
      parts.push(body, ...halves.map((half) => this.rays(scene, half)), ring);
      const centre = [(points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2];
      for (const { cell, text } of this.chips(scene, look.sheets[table.to_play])) {
        const [x, y] = look.middles[cell];
        const [cx, cy] = [x + (x - centre[0]) * 0.9, y + (y - centre[1]) * 0.9 - 6];
        const wide = 16 + 9 * text.length;
        parts.push(
          s(
            "g",
            { class: "chip", transform: `translate(${cx} ${cy})` },
            s("rect", { x: -wide / 2, y: -11, width: wide, height: 22, rx: 11 }),
            s("text", { y: 5 }, text),
          ),
        );
      }
    }
    put(group, parts);
  }

  /** A preview of a tile, with an outline. @param {Half[]} halves */
  ghost(halves) {
    const { look } = this;
    const [a, b] = halves.map(({ cell }) => look.middles[cell]);
    const drawn = halves.map(({ cell, colour }) =>
      s("use", { href: `#half${colour}`, x: look.middles[cell][0], y: look.middles[cell][1] }),
    );
    return [
      s("g", {}, s("path", { d: capsule(a, b, look.body), class: "ghostbody" }), drawn),
      s("path", { d: capsule(a, b, look.ring), class: "ghost" }),
    ];
  }

  /** Hints on the board: a dot per cell, by the best move there, and the best moves with their numbers in the list. @param {Advice} advice */
  advised(advice) {
    const best = new Map();
    for (const [slot, q, r, rank] of advice.dots) {
      if (this.hand && this.hand.slot !== slot) continue;
      const cell = this.index.get(String([q, r]));
      best.set(cell, Math.min(rank, best.get(cell) ?? Infinity));
    }
    const order = [...best].sort((one, other) => one[1] - other[1]);
    const dots = order.map(([cell], number) => {
      const [cx, cy] = this.look.middles[cell];
      const level = (1 - number / order.length) ** 2;
      return s("circle", { cx, cy, r: 1.5 + 10.5 * level, class: "dot", opacity: 0.25 + 0.55 * level });
    });
    if (this.hand && this.hand.cell !== null) return dots;
    const laying = advice.list.flatMap(({ slot, places }, number) =>
      places ? [{ slot, places: places.map((place) => Number(this.index.get(String(place)))), number }] : [],
    );
    const shown = laying.filter(({ slot }) => !this.hand || this.hand.slot === slot).slice(0, 4);
    const numbered = new Set();
    const badges = shown.map(({ places, number }) => {
      const at = places.find((cell) => !numbered.has(cell)) ?? places[0];
      numbered.add(at);
      return s("g", { transform: `translate(${this.look.middles[at]})` }, badge(number));
    });
    const outlines = shown.map(({ places }) => {
      const [a, b] = places.map((cell) => this.look.middles[cell]);
      return s("path", { d: capsule(a, b, 0.86 * this.look.cell), class: "candidate" });
    });
    return [...dots, ...outlines, ...badges];
  }

  /** Lines to the cells that a half scores. @param {Scene} scene @param {Half} half */
  rays(scene, half) {
    const [x, y] = this.look.middles[half.cell];
    return this.lines(scene, half).map((line) => {
      const [ex, ey] = this.look.middles[line[line.length - 1]];
      return [
        s("path", { d: `M${x} ${y}L${ex} ${ey}`, class: "ray" }),
        s("circle", { cx: ex, cy: ey, r: 4, class: "ray" }),
      ];
    });
  }

  // Tiles outside the board.

  /** A viewBox about the origin, of half as many cells' radii across and down. @param {number} across @param {number} down */
  around(across, down) {
    const { cell } = this.look;
    return [-across, -down, 2 * across, 2 * down].map((length) => (length * cell).toFixed(2)).join(" ");
  }

  /** @param {Tile} tile @param {string} [name] */
  tile([low, high], name = "") {
    const step = Math.sqrt(3) * this.look.cell;
    const halves = [s("use", { href: `#half${low}`, x: -step / 2 }), s("use", { href: `#half${high}`, x: step / 2 })];
    return s(
      "svg",
      { viewBox: this.around(1.85, 1.08), class: "tile", ...named(name) },
      s("use", { href: "#tile0", x: -step / 2 }),
      halves,
    );
  }

  /** @param {Tile} tile */
  tileName([low, high]) {
    return `${this.look.colours[low - 1][0]} ${this.look.colours[high - 1][0]}`;
  }

  /** The text of a move: its tile, or the choice. @param {string} move */
  moveName(move) {
    const halves = this.laid(move);
    return halves ? halves.map(({ colour }) => this.look.colours[colour - 1][0]).join("–") : INGENIOUS.choices[move];
  }

  back() {
    const step = Math.sqrt(3) * this.look.cell;
    return s(
      "svg",
      { viewBox: this.around(1.85, 1.08), class: "mini", ...named("") },
      s("use", { href: "#back", x: -step / 2 }),
    );
  }

  /** @param {number} colour from 1 @param {string} [name] */
  symbol(colour, name = "") {
    return s(
      "svg",
      { viewBox: this.around(0.85, 0.93), class: "symbol", ...named(name) },
      s("use", { href: `#half${colour}` }),
    );
  }

  /** The last move, shown next to a name. @param {Last} last */
  played(last) {
    if (!last.gains) return [h("span", {}, last.move === "swap" ? INGENIOUS.swapped : "")];
    const colours = (this.laid(last.move) || []).map(({ colour }) => colour);
    const total = last.gains.reduce((/** @type {number} */ sum, /** @type {number} */ gain) => sum + gain, 0);
    return [
      h("span", {}, DRAWING.played),
      ...colours.map((colour) => this.symbol(colour)),
      h("span", {}, ` +${total}`),
    ];
  }

  /** What a banner says of the last move. @param {Table} table */
  banner(table) {
    return this.filled(table).length ? INGENIOUS.banner : "";
  }

  /** The names of the colours whose counters the last move brought to a top. @param {Table} table @returns {string[]} */
  filled({ last, scene }) {
    return last && last.gains ? scene.filled.map((colour) => this.look.colours[colour - 1][0]) : [];
  }

  /** The tiles shown in a swap that may still be on the rack. @param {Scene} scene @param {number} seat */
  shown(scene, seat) {
    return (scene.shown[seat] || []).flatMap(([low, high, count]) =>
      Array.from({ length: count }, () => this.tile([low, high], this.tileName([low, high]))),
    );
  }

  /** The mark of the game. */
  emblem() {
    return this.symbol(4);
  }
}
