// A board on which the tiles of a game that has begun are laid, beside the text of their moves; loaded with `real.js`.

import { byId, h, put } from "../../render/static/dom.js";
import { isTouched } from "./pointer.js";
import { WORDS } from "./real_texts.js";

/** @import { Layout, RealChoice } from "./types.js" */

/** The lines of a text, and what each lays on the board: `laid`, null if it is not a move there.
 * @param {RealChoice} choice */
function linesOf({ placed, drawing, layout }) {
  return placed.split(/[\n;]/).map((line) => {
    const text = line.trim().replace(/[‐-―−]/g, "-");
    const found = [text, text.toLowerCase(), text.toUpperCase()].map((each) => drawing?.laid(each)).find(Boolean);
    return { line, laid: found && layout?.cellsOf(drawing, found).length ? found : null };
  });
}

/** The board with the tiles of the text, and the tiles that are left to lay. A click lays the tile in hand or takes
 * away one of the board; the text changes with it. @param {RealChoice} choice */
export function layingBoard(choice) {
  const node = h("div", { id: "real-board" });
  draw(node, choice);
  return node;
}

/** Draw the board anew. @param {HTMLElement} node @param {RealChoice} choice */
export function draw(node, choice) {
  const { drawing, deal } = choice;
  const layout = /** @type {Layout} */ (choice.layout);
  if (!drawing || !deal) return;
  const lines = linesOf(choice);
  const laid = lines.flatMap((each) => (each.laid ? [each.laid] : []));
  const tiles = laid.map((each) => String(layout.tileOf(each)));
  const scene = layout.sceneOf(
    drawing,
    laid,
    deal.tiles.map(([, tile]) => tile),
  );

  /** @param {string[]} texts */
  const change = (texts) => {
    choice.placed = texts.join("\n");
    byId("real-placed").value = choice.placed;
    draw(node, choice);
  };
  const texts = () => lines.map(({ line }) => line).filter((line) => line.trim());
  const lay = () => {
    const move = drawing.moveText(scene);
    if (!move) return;
    drawing.drop();
    change([...texts(), move]);
  };
  /** @param {number} cell */
  const takeAway = (cell) => {
    const at = lines.findIndex((each) => each.laid && layout.cellsOf(drawing, each.laid).includes(cell));
    if (at >= 0) change(texts().filter((line) => line !== lines[at].line));
  };

  const board = drawing.board(/** @type {any} */ ({ scene, last: null }), {
    onMove(event, { cell, direction }) {
      if (!drawing.hand || drawing.hand.fixed || event.pointerType === "touch") return;
      drawing.aim(scene, cell, direction);
      preview();
    },
    onClick(_event, { cell, direction }) {
      if (cell === null) return;
      if (!drawing.hand) return takeAway(cell);
      if (!isTouched()) {
        drawing.aim(scene, cell, direction);
        return lay();
      }
      drawing.tap(scene, cell);
      preview();
    },
    onWheel(event) {
      if (!drawing.hand || !drawing.turn) return;
      event.preventDefault();
      drawing.turn(scene, event.deltaY > 0 ? 1 : -1);
      preview();
    },
  });
  const over = board.querySelector("#overlay");
  over.removeAttribute("id"); // of the board of a table that is open
  const button = h("button", { type: "button", id: "real-lay", onclick: lay }, WORDS.begun.lay);
  const preview = () => {
    put(over, layout.ghost(drawing, scene));
    button.disabled = !drawing.moveText(scene);
  };
  const palette = deal.tiles.map(([text, tile, number], slot) => {
    const left = number - tiles.filter((each) => each === String(tile)).length;
    const attributes = {
      type: "button",
      id: `laid-${text}`,
      "aria-label": WORDS.left(drawing.tileName(tile), left),
      "aria-pressed": String(drawing.hand?.slot === slot),
      disabled: left < 1,
      onclick: () => {
        drawing.pick(scene, slot);
        draw(node, choice);
      },
    };
    return h("button", attributes, drawing.tile(tile), left > 1 && h("small", {}, String(left)));
  });
  const scrolled = node.querySelector(".palette")?.scrollTop || 0;
  put(node, board, h("div", { class: "palette" }, palette), drawing.hand && h("p", { class: "acts" }, button));
  node.querySelector(".palette")?.scrollTo(0, scrolled);
  preview();
}
