// The words of the drawings of all games.

const ORDINALS = ["", "1st", "2nd", "3rd"];

/** @param {string[]} names @param {string} joint before the last one */
const listed = (names, joint) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} ${joint} ${names[names.length - 1]}` : names[0] || "";

/** @param {number} count */
const numTiles = (count) => (count === 1 ? "1 tile" : `${count} tiles`);

export const DRAWING = {
  first: "First move",
  previous: "Move before",
  next: "Next move",
  last: "Latest move",
  slider: "Move",
  move: (/** @type {number} */ at) => `move ${at}`,
  watch: "Watch",
  rack: numTiles,
  bag: (/** @type {number} */ count) => `${numTiles(count)} in the bag`,
  showed: "showed ",
  shown: "shown by a swap",
  played: "played ",
  board: (/** @type {number} */ count) => `Board with ${numTiles(count)}`,
  own: "your turn",
  turn: "to move",
  partner: "your partner",
  beside: (/** @type {string} */ names) => `with ${names}`,
  empty: "empty",
  taken: "A tile lies there.",
  choose: "Your turn: choose a tile.",
  place: (/** @type {number} */ rank, /** @type {boolean} */ isShared) =>
    `${ORDINALS[rank] || `${rank}th`}${isShared ? ", shared" : ""}`,
  all: (/** @type {string[]} */ names) => listed(names, "and"),
  any: (/** @type {string[]} */ names) => listed(names, "or"),
};
