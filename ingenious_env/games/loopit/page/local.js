// Loopit on a page without a server: its scenes, sentences and moves as text (see `render/scene.py`, `layout.py`).

import { filled, listed, parts } from "../../../render/static/lists.js";

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
    if (best.length > 1) return filled(texts.share, { names: listed(best.map((seat) => names[seat])) });
    const scores = position.scores().flat();
    const second = Math.max(...scores.filter((_, seat) => seat !== best[0]));
    return filled(texts.wins, { name: names[best[0]], score: scores[best[0]], second });
  }
  const { toPlay } = position;
  const turn = viewer === toPlay ? texts["your turn"] : filled(texts.turn, { name: names[toPlay] });
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

/** A text of a move in the form in which equal moves have equal texts. @param {string} text */
export const plain = (text) => text.trim();
