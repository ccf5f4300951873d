// Loopit on a page without a server: its scenes, sentences and moves as text (see `render/scene.py`, `layout.py`).

import { DRAWING } from "../../../render/static/drawing_texts.js";
import { filled, parts } from "../../../render/static/lists.js";
import { BadText, turnOf } from "../../../web/local/session.js";

/** @import { Position } from "../../../web/local/position.js" */
/** @import { VariantFacts } from "../../../web/local/types.js" */

/** A position as a seat may know it. @param {Position} position @param {number} seat */
export function scene(position, seat) {
  const { facts, trail } = position;
  const { look, local, players } = facts;
  const seen = position.seen(seat);
  const cells = seen.values.length;
  const ends = (/** @type {number[]} */ flags) => [...local.ends].filter((_, k) => flags[k]).join("");
  const endsAt = (/** @type {number} */ cell) => ends([...local.ends].map((_, k) => seen.ends[k * cells + cell]));
  const rounds = look.rounds;
  /** @type {Record<string, any>} */
  const found = {
    tiles: seen.values.flatMap((value, cell) => (value ? [[...facts.places[cell][0], endsAt(cell), value]] : [])),
    laid_order: trail.placements.map((placement) => facts.places[placement][0]),
    rack: parts(seen.rack, local.ends.length + 1)
      .filter((tile) => tile.some(Boolean))
      .map((tile) => [ends(tile), tile[local.ends.length]]),
    sizes: position.rackTypes().map((rack) => rack.length),
    scores: position.scores().flat(),
    bag: position.bag,
    laid: seen.laid[0],
    round: rounds ? Math.min(Math.floor(position.number("turn") / players) + 1, rounds) : 0,
  };
  if (position.toPlay === seat && !position.isOver) {
    const legal = position.legal();
    const placements = legal.filter((action) => action < position.firstChoice);
    const points = position.points(placements);
    found.left = tilesLeft(position);
    found.stuck = Boolean(seen.stuck[0]);
    found.legal = placements.map((action, k) => {
      const [slot, placement] = position.split(action);
      return [slot, ...facts.places[placement][0], points[k]];
    });
    found.choices = legal.slice(placements.length).map((action) => position.choiceOf(action));
  }
  return found;
}

/** The most tiles that the player to move may still lay in this turn. @param {Position} position */
const tilesLeft = (position) =>
  Math.min(position.facts.local.a_turn - position.number("laid"), position.rackTypes()[position.toPlay].length);

/** Whose turn it is and what is due, or how the game ended. @param {Position} position @param {number | null} viewer
 * @param {string[]} names */
export function headline(position, viewer, names) {
  const { texts } = position.facts.local;
  const ranks = position.ranks();
  if (ranks) {
    const best = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    if (best.length > 1) return filled(texts.share, { names: DRAWING.all(best.map((seat) => names[seat])) });
    const scores = position.scores().flat();
    const second = Math.max(...scores.filter((_, seat) => seat !== best[0]));
    const [name, score] = [names[best[0]], scores[best[0]]];
    return filled(name === texts.you ? texts.win : texts.wins, { name, score, second });
  }
  const { toPlay } = position;
  const turn = turnOf(position, viewer, names);
  return viewer === null || viewer === toPlay ? filled(texts.due, { turn, task: task(position) }) : turn;
}

/** @param {Position} position */
function task(position) {
  const { texts } = position.facts.local;
  if (position.number("phase")) return texts.stuck;
  const left = tilesLeft(position);
  return filled(texts[left === 1 ? "lay one" : "lay"], { left, more: position.number("laid") ? texts.more : "" });
}

/** A placement of a type of tile as text. @param {VariantFacts} facts @param {number} type @param {number} placement */
export function moveText(facts, type, placement) {
  const [ends, value] = facts.tiles[type];
  return `${ends}${value}@${facts.places[placement][0]}`;
}

/** A tuple as the engine's sentences have it. @param {any[]} values */
export const tuple = (values) =>
  `(${values.map((each) => (typeof each === "string" ? `'${each}'` : each)).join(", ")})`;

/** @param {string} text @param {Record<string, any>} values @returns {never} */
const wrong = (text, values) => {
  throw new BadText(filled(text, values));
};

/** The tile and the square of a placement in the game's notation; throws `BadText`. @param {VariantFacts} facts
 * @param {string} text */
export function laidBy({ local }, text) {
  const form = new RegExp(`^(?=[${local.ends}])(${[...local.ends].join("?")}?)([1-9]\\d?)@(\\d{1,2}),(\\d{1,2})$`);
  const [, ends, value, row, column] = text.toUpperCase().match(form) || [];
  if (!ends) wrong(local.reasons["no move"], { text: `'${text}'` });
  return { tile: [ends, Number(value)], square: [Number(row), Number(column)] };
}

/** The number of a square; throws `BadText`. @param {VariantFacts} facts @param {number[]} square */
export function cellOf({ look, local: { reasons } }, square) {
  const [rows, columns] = look.size;
  if (square[0] >= rows || square[1] >= columns) wrong(reasons["no square"], { square: tuple(square), rows, columns });
  return square[0] * columns + square[1];
}

/** The action of a placement in the game's notation; throws `BadText`. @param {Position} position
 * @param {string} text */
export function actionOf(position, text) {
  const { local, tiles, actions } = position.facts;
  const { tile, square } = laidBy(position.facts, text);
  const cell = cellOf(position.facts, square);
  const rack = position.rackTypes()[position.toPlay].map((type) => tiles[type]);
  const slot = rack.findIndex((each) => String(each) === String(tile));
  if (slot < 0) wrong(local.reasons["no tile"], { tile: tuple(tile), rack: `[${rack.map(tuple).join(", ")}]` });
  return slot * actions.placements + cell;
}

/** Why an action is illegal, as `reasons.py` says it. @param {Position} position @param {number} action
 * @param {number} code */
export function reason(position, action, code) {
  const { facts } = position;
  const { reasons } = facts.local;
  const choice = position.choiceOf(action);
  if (choice === "stop" && reasons.stop && !position.number("phase")) return reasons.stop;
  const [throwBack, keep] = [position.firstChoice + 1, position.firstChoice + 2];
  if (choice) return filled(reasons[code], { throw: throwBack, keep });
  const [slot, placement] = position.split(action);
  const tile = facts.tiles[position.rackTypes()[position.toPlay][slot]];
  const [square] = facts.places[placement];
  return filled(reasons[code], {
    throw: throwBack,
    keep,
    square: tuple(square),
    tile: tuple(tile),
    misfit: misfit(position, String(tile[0]), square),
  });
}

/** The first mismatch of a tile on an empty square. @param {Position} position @param {string} own its line ends
 * @param {number[]} square */
function misfit(position, own, [row, column]) {
  const { look, local } = position.facts;
  const [rows, columns] = look.size;
  const seen = position.seen(position.toPlay);
  const steps = [
    [-1, 0],
    [0, 1],
    [1, 0],
    [0, -1],
  ];
  for (const [k, end] of [...local.ends].entries()) {
    const [y, x] = [row + steps[k][0], column + steps[k][1]];
    const edge = local.edges[k];
    if (y < 0 || x < 0 || y >= rows || x >= columns) {
      if (own.includes(end)) return filled(local.reasons.edge, { edge });
    } else if (seen.values[y * columns + x]) {
      const isJoined = Boolean(seen.ends[(k ^ 2) * rows * columns + y * columns + x]);
      if (isJoined !== own.includes(end)) return filled(local.reasons[isJoined ? "end" : "no end"], { edge });
    }
  }
  return local.reasons.alone;
}
