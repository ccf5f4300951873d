// The words that teach the games and review a game; a translation is another object of this form in the place of this one.

/** A page of the rules, and the part of the game's picture beside it, as a viewBox; "" for no picture.
 * @typedef {{ title: string, text: string, view: string }} Lesson */

/** @type {Record<string, Lesson[]>} */
const LESSONS = {
  ingenious: [
    {
      title: "Lay a tile",
      text:
        "In your turn you lay one of your tiles on two free cells next to each other. Each half of a tile has a colour " +
        "and its shape. In the first round your tile must touch a printed symbol that no other tile touches.",
      view: "15 60 630 546",
    },
    {
      title: "Score its colours",
      text:
        "From each half, look along the five rows that do not lead to the other half: each cell of the same colour, up " +
        "to the first other one, is a point in that colour. The outlined tile scored 5 in blue: four cells to its " +
        "right, and one above it.",
      view: "290 250 330 240",
    },
    {
      title: "The lowest colour decides",
      text:
        "Each colour has its own counter. At the end, whoever has the higher lowest counter wins; if these are equal, the " +
        "next lowest decides. This player has 16 in blue, and still 0 in four colours.",
      view: "650 66 344 268",
    },
    {
      title: "Ingenious!",
      text:
        "If a counter reaches its last space, you lay another tile at once. If none of your tiles shows your lowest " +
        "colour at the end of your turn, you may swap them all. The game ends when no two free cells are adjacent.",
      view: "",
    },
  ],
  loopit: [
    {
      title: "Lay tiles",
      text:
        "In your turn you lay one to three of your tiles, one after the other. A tile is never turned. It must continue a " +
        "line; where it lies next to a tile, both must have a line end there, or neither. No line ends at the edge.",
      view: "270 230 200 240",
    },
    {
      title: "Score each tile",
      text:
        "A tile scores its value, and the values of the tiles that its lines join it to. The outlined 8 scored 18: its " +
        "own 8, the 4 above it and the 6 beside it.",
      view: "270 230 200 140",
    },
    {
      title: "Multipliers",
      text:
        "A coloured square multiplies the value of the tile that is laid on it: 2× doubles it, 6× counts it six times. " +
        "The values of its neighbours are added as they are. Whoever builds a line towards a high one should be the " +
        "first to get there.",
      view: "14 60 580 580",
    },
    {
      title: "The end",
      text:
        "Who can lay no tile may throw all back and draw new ones. The game ends when no tile that is left fits " +
        "anywhere. The most points win.",
      view: "",
    },
  ],
};

export const TEXTS = {
  lessons: LESSONS,
  rules: { title: "The rules of", next: "Next", before: "Back", whole: "All rules", close: "Close", button: "Rules" },
  newHere: { title: "New here?", rules: "The rules in a minute", guided: "A guided first move" },
  real: {
    button: "At a real table",
    missing: "To get hints at a real table, install the package and run `ingenious play`.",
    shows: (/** @type {string} */ name, /** @type {string} */ choice) => `${name}: ${choice.toLowerCase()}`,
    other: (/** @type {string} */ name) => `${name} to move: choose the tile that was laid, and its place.`,
  },
  level: { how: "How strong?", others: "Other agents and seats" },
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
