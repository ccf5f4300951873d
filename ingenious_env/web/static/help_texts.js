// The words of the dialog of settings and keys.

export const HELP = {
  moves: "Moves so far",
  settings: "Settings",
  /** by setting @type {Record<string, string>} */
  boxes: {
    confirm: "A click only puts the tile down; Place or Enter confirms it",
    warn: "Ask before a serious mistake, ?? (counts as hints)",
    pace: "Show the moves of others one by one",
    sound: "Sounds: of tiles, many points, choices and the end",
    letters: "Keys of a single letter or digit",
    coordinates: "Coordinates on empty cells, as in typed moves",
  },
  keys: "Keys",
  hand: [
    ["1 to 6", "take a tile, or put it back"],
    ["← →", "with a tile in hand, through all cells where it may lie"],
    ["↑ ↓", "the same along a line, with Shift along the other one"],
    ["R, Shift R", "turn it"],
    ["F", "swap its halves"],
    ["Enter", "place it"],
    ["Esc", "put it back"],
  ],
  choice: (/** @type {string} */ title) => title.toLowerCase(),
  others: [
    ["Z", "take back"],
    ["H", "hints"],
    ["N", "the next weak move"],
    ["← → Home End", "without a tile in hand, through the moves"],
    ["?", "this list"],
  ],
  close: "Close",
};
