// The words of games at a real table, beside those in `texts.js`.

export const WORDS = {
  title: "At a real table",
  about: "You enter what happens at the table, and get hints for your own moves.",
  game: "Game",
  table: "Table",
  seat: "My seat",
  seatOf: (/** @type {number} */ number, /** @type {number} */ count, /** @type {string} */ note) =>
    `${number} of ${count}${number === 1 ? ", first to move" : ""}${note && ` (${note})`}`,
  rack: (/** @type {number} */ number) => (number === 1 ? "My tile" : `My ${number} tiles`),
  start: "The tile on the start square",
  drew: (/** @type {number} */ number) => `Which ${number === 1 ? "tile" : `${number} tiles`} did you draw?`,
  showed: (/** @type {string} */ name, /** @type {number} */ number) =>
    `Which ${number === 1 ? "tile" : `${number} tiles`} did ${name} show?`,
  chosen: (/** @type {number} */ number, /** @type {number} */ count) => `${number} of ${count} chosen`,
  remove: (/** @type {string} */ tile) => `put back ${tile}`,
  left: (/** @type {string} */ tile, /** @type {number} */ count) => `${tile}, ${count} left`,
  begun: {
    title: "The game has begun",
    about: {
      ingenious:
        "Lay the tiles on the board: choose one below it, click on the board to lay it, and click on it to remove it. Or " +
        "type them, a tile per line: the letter of a colour and the cell of each half. Counters in the order of their tracks.",
      loopit:
        "Lay the tiles on the board, with the one on the start square: choose one below it, click on the board to lay " +
        "it, and click on it to remove it. Or type them, a tile per line with its square.",
    },
    example: { ingenious: "r1,-5 p2,-5", loopit: "NS4@6,6" },
    placed: "Tiles",
    lay: "Lay it",
    scores: { ingenious: "Counters", loopit: "Points" },
    of: (/** @type {string} */ what, /** @type {number[]} */ seats) => `${what}, seat ${seats.join(" and ")}`,
    turn: "Next to move",
  },
  cancel: "Cancel",
  enter: "Enter",
  begin: "Begin",
};
