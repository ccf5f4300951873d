// The words of Loopit.

export const LOOPIT = {
  empty: (/** @type {number} */ factor) => `empty, ${factor} times`,
  /** by line end @type {Record<string, string>} */
  ends: { N: "up", E: "right", S: "down", W: "left" },
  /** by its text in a record @type {Record<string, string>} */
  choices: { stop: "stop", "throw back": "throw back", keep: "keep" },
  misfit:
    "The tile does not fit there: its lines must meet those of all tiles next to it, continue one of them, and not " +
    "end at the edge of the board.",
  stuck: "None of your tiles fits. Throw them back for new ones, or keep them.",
  turn: (/** @type {number} */ left, /** @type {boolean} */ isMore, /** @type {boolean} */ mayStop) =>
    `Your turn: lay ${left === 1 ? "one" : `up to ${left}`}${isMore ? " more" : ""} tile${left === 1 ? "" : "s"}` +
    `${mayStop ? ", or stop" : ""}.`,
};
