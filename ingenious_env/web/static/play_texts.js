// The words that go with a game: a guide, hints, the analysis, and what is said of moves and of the end.

/** @param {string} name "" for the reader */
const whose = (name) => (name ? `${name}: ` : "your ");

export const TEXTS = {
  guide: {
    tile: (/** @type {string} */ tile) => `Take the outlined tile, ${tile}: it is good now.`,
    place: (/** @type {string} */ points) =>
      `Here it brings the most points. The button says how many: ${points}. Press it, or move the tile to another place.`,
    placed:
      "You have made a move. The numbers beside the board show what it scored. Now it is the other player's turn.",
    own: "Your turn again: choose for yourself. The button Rules has the rules, Hints the best moves.",
    show: "Show me where",
    done: "Got it",
    skip: "Skip",
  },
  review: {
    retry: (/** @type {boolean} */ isAll) => `Retry ${isAll ? "the" : "my"} mistakes`,
    /** @param {number} number @param {number} count @param {string} move @param {string} name "" for the reader */
    ask: (number, count, move, name) =>
      `Mistake ${number} of ${count}: ${name || "you"} played ${move}. Find a better move.`,
    best: (/** @type {string} */ move) => `${move}: the best move.`,
    better: (/** @type {string} */ move, /** @type {string} */ loss) => `${move}: better, it loses ${loss}.`,
    same: (/** @type {string} */ move, /** @type {string} */ loss) =>
      `${move} loses ${loss}, no less than before. Try again.`,
    solution: (/** @type {string} */ move) => `The best move is ${move}; it lies on the board.`,
    show: "Show it",
    next: "Next",
    back: "Back to the game",
    lost: "lost per move",
    level: "level",
    luck: "luck",
    lucky: {
      good: (/** @type {string} */ amount) => `You were lucky by ${amount}.`,
      bad: (/** @type {string} */ amount) => `You were unlucky by ${amount}.`,
      even: "You were neither lucky nor unlucky.",
    },
    luckyPair: {
      good: (/** @type {string} */ amount) => `You and your partner were lucky by ${amount}.`,
      bad: (/** @type {string} */ amount) => `You and your partner were unlucky by ${amount}.`,
      even: "You and your partner were neither lucky nor unlucky.",
    },
    luckOfWin: (/** @type {string} */ percent) => `${percent} % of a win`,
    title: "Analysis",
    judge: (/** @type {string} */ name) => `by ${name}`,
    mistake: "Next mistake",
    /** what the curve shows, of the reader or of a named player; by unit */
    spaces: (/** @type {string} */ name) => `${whose(name)}expected lowest counter`,
    win: (/** @type {string} */ name) => `${whose(name)}chance of winning`,
    value: (/** @type {string} */ name) => `${whose(name)}value, not calibrated`,
    you: "You",
    remark: (/** @type {string} */ move, /** @type {string} */ best) => `${move}; ${best} was better`,
  },
  hints: {
    title: "Hints",
    agent: "Agent that gives hints",
    compiling: "compiling for the first time…",
    thinking: "thinking…",
    over: "the game is over",
    played: "played",
    turn: (/** @type {string} */ name) => (name ? `${name} to move` : "your move"),
    later: "hints come with your turn",
    units: {
      win: "chance of winning",
      points: "points",
      spaces: "spaces",
      utility: "utility",
      preference: "preference",
      choice: "would play",
    },
    lowest: "expected lowest counter",
    relative: ", against the best",
    best: "best",
    equal: "equal",
  },
  warning: {
    title: (/** @type {string} */ loss) => `This move loses ${loss}`,
    text: (/** @type {string} */ move) => `${move} ?? The judge would play another move.`,
    play: "Play it",
    show: "Show the better one",
    again: "Choose again",
    better: (/** @type {string} */ move) => `${move} is better.`,
  },
  /** a number as it is written, given with a decimal point */
  number: (/** @type {string} */ digits) => digits,
  spaces: (/** @type {string} */ number) => `${number} spaces`,
  played: (/** @type {string} */ name, /** @type {string} */ move, /** @type {number | null} */ points) =>
    `${name === "You" ? "You play" : `${name} plays`} ${move}${points === null ? "" : points === 1 ? ", 1 point" : `, ${points} points`}.`,
  end: { rematch: "Rematch, seats moved on", another: "Another game", same: "The same tiles again" },
};
