// The words of the list of moves.

export const TEXTS = {
  title: "Moves so far",
  none: "There are none yet.",
  gain: (/** @type {number} */ points) => (points ? ` +${points}` : ""),
  close: "Close",
};
