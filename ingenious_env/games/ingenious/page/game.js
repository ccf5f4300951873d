// Ingenious on the page: score sheets and texts; the base classes are the board and the hand.

import { h, s } from "../../../render/static/dom.js";
import { DRAWING } from "../../../render/static/drawing_texts.js";
import { place } from "../../../render/static/replay.js";
import { Board } from "./board.js";
import { INGENIOUS } from "./texts.js";

/** @import { Scene, Table } from "./types.js" */

export class Game extends Board {
  high = 6; // few moves score as much

  /** @param {Table} table @param {number} sheet @param {number[]} gains of the tile in hand */
  tracks(table, sheet, gains) {
    const { look } = this;
    const scores = table.scene.scores[sheet];
    const wide = table.scene.scores.length > 2 ? 196 : 344;
    const lowest = table.scene.lowest[sheet];
    const stops = look.last > look.top ? 6 : 0;
    const space = (wide - 92 - stops) / look.last;
    const left = (/** @type {number} */ number) => 30 + number * space + (stops && number >= look.top ? stops : 0);
    const width = space - Math.min(2, 0.2 * space);
    const spaces = Array.from({ length: look.last }, (_, k) => `M${left(k).toFixed(2)} 0h${width.toFixed(2)}`).join("");
    const rows = scores.map((score, k) => {
      const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) =>
        to > from &&
        s("rect", {
          x: left(from),
          y: -6,
          width: left(to - 1) + width - left(from),
          height: 12,
          rx: 2,
          class: name,
          fill: `var(--c${k + 1})`,
          "data-colour": k + 1,
        });
      const gain = gains[k];
      return s(
        "g",
        { transform: `translate(0 ${23 * k + 12})` },
        lowest.length < scores.length &&
          lowest.includes(k + 1) &&
          s("rect", { class: "lowest", x: -4, y: -11, width: wide - 4, height: 22, rx: 6 }),
        s(
          "svg",
          { x: 0, y: -10, width: 20, height: 20, viewBox: this.around(0.85, 0.93) },
          s("use", { href: `#half${k + 1}` }),
        ),
        s("path", { d: spaces, class: "spaces" }),
        bar(0, score, "bar"),
        bar(score, score + gain, "gain"),
        s("text", { x: wide - 36, y: 5.5, class: "count" }, String(score)),
        gain > 0 && s("text", { x: wide - 32, y: 5, class: "plus" }, `+${gain}`),
        s("title", {}, INGENIOUS.counter(look.colours[k][0], score, look.last)),
      );
    });
    const height = 23 * scores.length + 2;
    return s("svg", { viewBox: `-4 0 ${wide} ${height}`, class: "tracks" }, rows);
  }

  /** The seats that score on a sheet, whether this page moves for one of them, and the gains of the tile in hand.
   * @param {Table} table @param {number} sheet */
  owners(table, sheet) {
    const seats = this.look.sheets.flatMap((each, seat) => (each === sheet ? [seat] : []));
    const mine =
      !table.over && table.at === table.total && table.yours.includes(table.to_play) && seats.includes(table.to_play);
    return { seats, mine, gains: mine && this.hand ? this.gains(table.scene, sheet) : this.look.colours.map(() => 0) };
  }

  /** The sheets, the own one last of two and first of more, or in their order; at the end, a table. @param {Table} table @returns {any[]} */
  sheets(table) {
    const count = table.scene.scores.length;
    const own = table.seat === null ? 0 : this.look.sheets[table.seat];
    const order = Array.from({ length: count }, (_, k) => (own + k) % count);
    if (count === 2 && table.seat !== null) order.reverse();
    if (table.terminal && count > 1) return [this.results(table)];
    const sheets = order.map((sheet) => {
      const { seats, mine, gains } = this.owners(table, sheet);
      const moves = !table.terminal && seats.includes(table.to_play);
      const note = table.ranks ? place(table.ranks, sheet) : moves ? (mine ? DRAWING.own : DRAWING.turn) : "";
      const inorder = [...table.scene.scores[sheet]].sort((a, b) => a - b).join(" ");
      return h(
        "section",
        { class: moves ? "sheet turn" : "sheet" },
        h("header", {}, h("b", {}, DRAWING.all(seats.map((seat) => table.names[seat]))), h("span", {}, note)),
        this.tracks(table, sheet, gains),
        h("footer", {}, INGENIOUS.order, h("b", {}, inorder)),
      );
    });
    return table.scene.unseen ? [...sheets, this.unseen(table.scene)] : sheets;
  }

  /** The number of tiles of each type in the bag, in solitaire. @param {Scene} scene */
  unseen(scene) {
    const kinds = (scene.unseen || []).map(([low, high, count]) =>
      h("span", {}, this.tile([low, high], this.tileName([low, high])), ` ${count}`),
    );
    return h("section", { class: "unseen" }, h("header", {}, h("b", {}, INGENIOUS.unseen)), h("div", {}, kinds));
  }

  /** The score sheets in the order of their ranks, the lowest counters marked. @param {Table} table */
  results(table) {
    const rows = table.scene.scores
      .map((scores, sheet) => ({ scores, sheet, rank: Number(table.ranks?.[sheet]) }))
      .sort((a, b) => a.rank - b.rank);
    const head = h(
      "tr",
      {},
      h("td"),
      h("td"),
      this.look.colours.map(([name], k) => h("th", { scope: "col" }, this.symbol(k + 1, name))),
    );
    return h(
      "section",
      { class: "results" },
      h("header", {}, h("b", {}, table.headline)),
      h(
        "table",
        {},
        head,
        rows.map(({ scores, sheet, rank }) => {
          const { seats } = this.owners(table, sheet);
          return h(
            "tr",
            { class: rank === 1 ? "first" : "" },
            h("td", {}, String(rank)),
            h("th", { scope: "row" }, DRAWING.all(seats.map((seat) => table.names[seat]))),
            scores.map((score, k) =>
              h("td", { class: table.scene.lowest[sheet].includes(k + 1) ? "low" : "" }, String(score)),
            ),
          );
        }),
      ),
    );
  }

  /** The counters of all in a few lines, for phones. @param {Table} table */
  strip(table) {
    return table.scene.scores.map((scores, sheet) => {
      const { seats, gains } = this.owners(table, sheet);
      return h(
        "div",
        { class: seats.length > 1 && "joint" },
        h("b", {}, DRAWING.all(seats.map((seat) => table.names[seat]))),
        scores.map((score, k) =>
          h(
            "span",
            {},
            this.symbol(k + 1),
            h("span", { class: table.scene.lowest[sheet].includes(k + 1) ? "low" : "" }, String(score)),
            gains[k] > 0 && h("em", {}, `+${gains[k]}`),
          ),
        ),
      );
    });
  }

  /** The prompt for the seat to move. @param {Table} table */
  say(table) {
    const { scene } = table;
    if (scene.may_swap) {
      const lowest = scene.lowest[this.look.sheets[table.to_play]].map((colour) => this.look.colours[colour - 1][0]);
      return INGENIOUS.swap(lowest);
    }
    if (this.hand) {
      const tile = this.tileName(scene.rack[this.hand.slot]).replace(" ", "–");
      return matchMedia("(hover: none)").matches ? INGENIOUS.tap(tile) : INGENIOUS.click(tile);
    }
    const filled = table.last && table.last.seat === table.seat && this.look.bonus ? this.filled(table) : [];
    return filled.length ? INGENIOUS.full(filled, Number(scene.plays_left)) : DRAWING.choose;
  }

  /** The named choices that may be taken now. @param {Scene} scene */
  choices(scene) {
    return scene.may_swap ? ["swap", "keep"] : [];
  }

  /** The label of the Place button; null where there is nothing to place. @param {Table} table */
  placeText(table) {
    if (!this.halves(table.scene)) return null;
    const sheet = this.look.sheets[table.to_play];
    return INGENIOUS.place(this.gains(table.scene, sheet).reduce((sum, gain) => sum + gain, 0));
  }
}
