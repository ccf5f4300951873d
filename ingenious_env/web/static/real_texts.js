// The words of games at a real table, beside those in `texts.js`; loaded with `real.js`.

export const WORDS = {
  title: "At a real table",
  about: "You enter what happens at the table, and get hints for your own moves.",
  seat: "My seat",
  seatOf: (/** @type {number} */ number, /** @type {number} */ count) =>
    `${number} of ${count}${number === 1 ? ", first to move" : ""}`,
  rack: (/** @type {number} */ number) => (number === 1 ? "My tile" : `My ${number} tiles`),
  start: "The tile on the start square",
  drew: (/** @type {number} */ number) => `Which ${number === 1 ? "tile" : `${number} tiles`} did you draw?`,
  showed: (/** @type {string} */ name, /** @type {number} */ number) =>
    `Which ${number === 1 ? "tile" : `${number} tiles`} did ${name} show?`,
  chosen: (/** @type {number} */ number, /** @type {number} */ count) => `${number} of ${count} chosen`,
  remove: (/** @type {string} */ tile) => `put back ${tile}`,
  left: (/** @type {string} */ tile, /** @type {number} */ count) => `${tile}, ${count} left`,
  cancel: "Cancel",
  enter: "Enter",
  begin: "Begin",
};
