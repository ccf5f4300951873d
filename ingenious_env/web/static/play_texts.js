// The words that guide a player and review a game; a translation is another object of this form in the place of this one.

export const TEXTS = {
  guide: {
    tile: (/** @type {string} */ tile) => `Take the outlined tile, ${tile}: it is good now.`,
    place: (/** @type {string} */ points) =>
      `Here it brings the most points. The button says how many: ${points}. Press it, or move the tile to another place.`,
    placed: "That is a move. The numbers beside the board show what it scored. Now it is the other player's turn.",
    own: "Your turn again: choose for yourself. The button Rules has the rules, Hints the best moves.",
    show: "Show me where",
    done: "Got it",
    skip: "Skip",
  },
  review: {
    retry: "Retry my mistakes",
    ask: (/** @type {number} */ number, /** @type {number} */ count, /** @type {string} */ move) =>
      `Mistake ${number} of ${count}: you played ${move}. Find a better move.`,
    best: (/** @type {string} */ move) => `${move}: the best move.`,
    better: (/** @type {string} */ move, /** @type {string} */ loss) => `${move}: better, it loses ${loss}.`,
    same: (/** @type {string} */ move, /** @type {string} */ loss) =>
      `${move} loses ${loss}, no less than before. Try again.`,
    solution: (/** @type {string} */ move) => `The best move is ${move}; it lies on the board.`,
    show: "Show it",
    next: "Next",
    back: "Back to the game",
    lost: "lost per move",
    luck: "luck",
  },
};
