// The words of the list of moves; a translation is another object of this form in the place of this one.

export const TEXTS = {
  title: "Moves so far",
  none: "There are none yet.",
  gain: (/** @type {number} */ points) => (points ? ` +${points}` : ""),
  close: "Close",
};
