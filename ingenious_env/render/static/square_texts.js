// The words of games on a rectangular board.

export const SQUARES = {
  misfit: "The tile does not fit there.",
  nowhere: "This tile fits nowhere: choose another one.",
  tap: "Tap where it goes.",
  click: "Choose where it goes. Click to lay it, Esc puts it back.",
  lay: (/** @type {number} */ points) => `Lay +${points}`,
};
