// Ingenious on a page without a server: its scenes, sentences and moves as text (see `render/scene.py`, `layout.py`).

import { DRAWING } from "../../../render/static/drawing_texts.js";
import { filled, parts } from "../../../render/static/lists.js";
import { BadText, turnOf } from "../../../web/local/session.js";

/** @import { Position } from "../../../web/local/position.js" */
/** @import { VariantFacts } from "../../../web/local/types.js" */
/** @typedef {{ cell: number[], colour: number }} Half of a tile on the board */

const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, k) => k);

/** The colours of the tile in a slot of the section `racks`; null for an empty slot. @param {number[]} slot
 * @param {number} colours */
const tileOf = (slot, colours) => (slot.includes(1) ? parts(slot, colours).map((half) => half.indexOf(1) + 1) : null);

/** A position as a seat may know it. @param {Position} position @param {number} seat */
export function scene(position, seat) {
  const { facts, trail } = position;
  const { look, local, tiles, players } = facts;
  const [cells, colours] = [look.cells.length, look.colours.length];
  const seen = position.seen(seat);
  const index = new Map(look.cells.map((/** @type {number[]} */ cell, /** @type {number} */ k) => [String(cell), k]));
  const slots = parts(seen.racks, 2 * colours).map((slot) => tileOf(slot, colours));
  const racks = parts(/** @type {any} */ (numbers(slots.length)), look.rack).map((rack) =>
    rack.map((slot) => slots[slot]).filter(Boolean),
  );
  const shown = parts(seen.shown, tiles.length).map((counts) =>
    counts.flatMap((count, tile) => (count ? [[...tiles[tile], count]] : [])),
  );
  const seated = (/** @type {any[]} */ list) => numbers(players).map((each) => list[(each - seat + players) % players]);
  const scores = position.scores();
  const types = position.rackTypes();
  const colourAt = (/** @type {number} */ cell) =>
    numbers(colours).reduce((sum, colour) => sum + (colour + 1) * seen.board[colour * cells + cell], 0);
  /** @type {Record<string, any>} */
  const found = {
    board: numbers(cells).map(colourAt).join(""),
    points: parts(seen.points, cells),
    tiles: trail.placements.map((placement) => facts.places[placement].map((cell) => index.get(String(cell)))),
    rack: racks[0],
    sizes: types.map((rack) => rack.length),
    scores,
    room: scores.map((sheet) => sheet.map((score) => local.stops[score] - score)),
    lowest: scores.map((sheet) => sheet.flatMap((score, colour) => (score === Math.min(...sheet) ? [colour + 1] : []))),
    filled: filledBy(position),
    shown: seated(shown),
    bag: position.bag,
    touched: seen.first_round[0] ? seen.touched.flatMap((is, symbol) => (is ? [symbol] : [])) : [],
  };
  if (racks.length > 1) found.racks = seated(racks);
  if (players === 1) found.unseen = seen.unseen.flatMap((count, tile) => (count ? [[...tiles[tile], count]] : []));
  if (position.toPlay === seat && !position.isOver) {
    const mask = position.mask();
    const pairs = look.pairs.length;
    const isOpen = (/** @type {number} */ pair) => numbers(2 * look.rack).some((half) => mask[half * pairs + pair]);
    found.may_swap = Boolean(seen.may_swap[0]);
    found.plays_left = playsLeft(position);
    found.open = numbers(pairs).filter(isOpen);
  }
  return found;
}

/** The colours, from 1, whose counters the last tile moved to a space where they stop. @param {Position} position */
function filledBy(position) {
  const { last } = position.trail;
  const gains = position.gains();
  if (!last || !gains) return [];
  const { stops } = position.facts.local;
  const after = position.scores()[position.sheetOf(last.seat)];
  return after.flatMap((now, k) => (gains[k] && now === stops[now - gains[k]] ? [k + 1] : []));
}

/** The most tiles that the player to move may still play in this turn. @param {Position} position */
const playsLeft = (position) => Math.min(position.number("plays_left"), position.rackTypes()[position.toPlay].length);

/** Whose turn it is and what is due, or how the game ended. @param {Position} position @param {number | null} viewer
 * @param {string[]} names */
export function headline(position, viewer, names) {
  const { texts, open } = position.facts.local;
  if (position.isOver) return result(position, names);
  const { toPlay } = position;
  const turn = turnOf(position, viewer, names);
  return viewer === null || viewer === toPlay || open ? filled(texts.due, { turn, task: task(position) }) : turn;
}

/** @param {Position} position */
function task(position) {
  const { texts } = position.facts.local;
  if (position.number("phase")) return texts.swap;
  const plays = playsLeft(position);
  return filled(plays === 1 ? texts["play one"] : texts.play, { plays });
}

/** @param {Position} position @param {string[]} names */
function result(position, names) {
  const { sheets: count, look, local } = position.facts;
  const { texts } = local;
  const scores = position.scores();
  if (count === 1) return filled(texts.alone, { lowest: Math.min(...scores[0]) });
  const ranks = position.ranks() || [];
  const players = (/** @type {number} */ sheet) => DRAWING.all(names.filter((_, seat) => look.sheets[seat] === sheet));
  const best = numbers(count).filter((sheet) => ranks[sheet] === 1);
  if (best.length > 1) {
    const all = best.map(players);
    return filled(texts.share, { names: local.teams ? all.join(texts.joint) : DRAWING.all(all) });
  }
  const others = numbers(count).filter((sheet) => sheet !== best[0]);
  const second = others.reduce((one, other) => (ranks[other] < ranks[one] ? other : one));
  const [own, theirs] = [best[0], second].map((sheet) => [...scores[sheet]].sort((a, b) => a - b));
  const nth = own.findIndex((score, k) => score !== theirs[k]);
  const order = texts.orders.split(" ")[nth];
  const decision = filled(texts.decision, { order, mine: own[nth], theirs: theirs[nth] });
  const winners = players(best[0]);
  if (local.teams) return filled(texts["teams win"], { partners: winners, decision });
  return filled(winners === texts.you ? texts.win : texts.wins, { names: winners, decision });
}

/** A placement of a type of tile as text. @param {VariantFacts} facts @param {number} type @param {number} placement */
export function moveText(facts, type, placement) {
  const [low, high] = facts.tiles[type];
  const colours = placement < facts.look.pairs.length ? [low, high] : [high, low];
  const letter = (/** @type {number} */ colour) => facts.look.colours[colour - 1][1];
  return facts.places[placement].map(([q, r], half) => `${letter(Number(colours[half]))}${q},${r}`).join(" ");
}

/** A tuple as the engine's sentences have it. @param {any[]} values */
export const tuple = (values) => `(${values.join(", ")})`;

/** @param {string} text @param {Record<string, any>} values @returns {never} */
const wrong = (text, values) => {
  throw new BadText(filled(text, values));
};

/** The halves of a placement in the game's notation; throws `BadText`. @param {VariantFacts} facts
 * @param {string} typed @returns {Half[]} */
export function halvesOf({ look, local: { reasons } }, typed) {
  const text = typed.toLowerCase();
  const letters = look.colours.map((/** @type {string[]} */ each) => each[1]);
  const halves = text.split(" ").map((half) => {
    const [, letter, q, r] = half.match(/^([a-z])(-?\d{1,3}),(-?\d{1,3})$/) || [];
    if (!letters.includes(letter)) wrong(reasons["no half"], { text: `'${half}'` });
    return { cell: [Number(q), Number(r)], colour: letters.indexOf(letter) + 1 };
  });
  if (halves.length !== 2) wrong(reasons["no move"], { text: `'${text}'` });
  return halves;
}

/** The placement of two halves, and the colours of their tile, the lower first; throws `BadText`.
 * @param {VariantFacts} facts @param {Half[]} halves */
export function placementOf({ look, local: { reasons } }, halves) {
  const numberOf = (/** @type {any} */ { cell }) =>
    look.cells.findIndex((/** @type {number[]} */ each) => String(each) === String(cell));
  const missing = halves.find((half) => numberOf(half) < 0);
  if (missing) wrong(reasons["no cell"], { cell: tuple(missing.cell), side: look.side });
  const [low, high] = [...halves].sort((a, b) => numberOf(a) - numberOf(b));
  const wanted = String([numberOf(low), numberOf(high)]);
  const pair = look.pairs.findIndex((/** @type {number[]} */ each) => String(each) === wanted);
  const [first, second] = halves.map(({ cell }) => tuple(cell));
  if (pair < 0) wrong(reasons["no pair"], { first, second });
  const turned = low.colour > high.colour ? look.pairs.length : 0;
  return { placement: turned + pair, colours: [low.colour, high.colour].sort((a, b) => a - b) };
}

/** The action of a placement in the game's notation; throws `BadText`. @param {Position} position
 * @param {string} typed */
export function actionOf(position, typed) {
  const { tiles, local } = position.facts;
  const { placement, colours } = placementOf(position.facts, halvesOf(position.facts, typed));
  const rack = position.rackTypes()[position.toPlay];
  const slot = rack.findIndex((type) => String(tiles[type]) === String(colours));
  if (slot < 0)
    wrong(local.reasons["no tile"], {
      tile: tuple(colours),
      rack: `[${rack.map((type) => tuple(tiles[type])).join(", ")}]`,
    });
  return slot * position.facts.actions.placements + placement;
}

/** Why an action is illegal, as `reasons.py` says it. @param {Position} position @param {number} action
 * @param {number} code */
export function reason(position, action, code) {
  const { look, local, places } = position.facts;
  const [keep, swap] = [position.firstChoice, position.firstChoice + 1];
  if (position.choiceOf(action)) return filled(local.reasons[code], { keep, swap });
  const seen = position.seen(position.toPlay);
  const cells = places[position.split(action)[1]];
  const isTaken = (/** @type {number[]} */ cell) => {
    const number = look.cells.findIndex((/** @type {number[]} */ each) => String(each) === String(cell));
    return look.colours.some(
      (/** @type {any} */ _, /** @type {number} */ k) => seen.board[k * look.cells.length + number],
    );
  };
  const [first, second] = cells.map(tuple);
  const touched = look.symbols
    .filter((/** @type {any} */ _, /** @type {number} */ k) => seen.touched[k])
    .map((/** @type {number[]} */ [cell]) => tuple(look.cells[cell]));
  return filled(local.reasons[code], {
    keep,
    swap,
    first,
    second,
    cell: tuple(cells.find(isTaken) || []),
    touched: touched.join(", ") || local.none,
  });
}
