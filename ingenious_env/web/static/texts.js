// The words that every page needs until it shows a game; those of parts that are loaded on first use are beside them.

export const TEXTS = {
  taught: ["ingenious", "loopit"], // the games that have lessons
  title: "Ingenious",
  help: "Keys and settings",
  theme: "Light or dark",
  fresh: "New",
  freshGame: " game", // where there is room for it
  you: "You",
  against: (/** @type {string} */ one, /** @type {string} */ other) => `${one} against ${other}`,
  takenBack: " · with take backs",
  hinted: " · with hints",
  back: { long: "Take back", short: "Back" },
  share: "Share",
  hints: "Hints",
  rules: "Rules",
  shown: (/** @type {number} */ at, /** @type {number} */ total) => `Move ${at} of ${total}`,
  waits: (/** @type {string} */ name, /** @type {boolean} */ isCompiling) =>
    `${name} ${isCompiling ? "waits: compiling for the first time…" : "is thinking…"}`,
  stop: "Stop",
  uncover: (/** @type {string} */ name) => `${name}: show my tiles`,
  left: "Turn left",
  right: "Turn right",
  place: "Place",
  branch: "Play on",
  type: "Type a move",
  play: "Play",
  changed: "something has happened meanwhile; look again",
  answered: (/** @type {number} */ status) => `the server answered ${status}`,
  silence: "the server does not answer; it may have been ended",
  fromText: "Open a game",
  anew: "New game",
  found: (/** @type {number} */ players, /** @type {number} */ moves, /** @type {boolean} */ isOver) =>
    `${players === 1 ? "one player" : `${players} players`}, ` +
    `${moves === 1 ? "one move" : `${moves} moves`}${isOver ? ", over" : ""}`,
  game: "Game",
  table: "Table",
  player: "Player",
  seat: (/** @type {number} */ number, /** @type {string} */ note) => `Seat ${number}${note && ` (${note})`}`,
  person: "a person",
  seed: "Seed",
  random: "random",
  level: {
    how: "How strong?",
    rating: (/** @type {number} */ rating) => `Rating ${rating} (who always takes the most points has 1000).`,
    others: "Other agents and seats",
  },
  newHere: { title: "New here?", rules: "The rules in a minute", guided: "A guided first move" },
  openings: "My games, a record, the daily bag",
  cancel: "Cancel",
  open: "Open",
  start: "Start",
  real: {
    button: "At a real table",
    shows: (/** @type {string} */ name, /** @type {string} */ choice) => `${name}: ${choice.toLowerCase()}`,
    other: (/** @type {string} */ name) => `${name} to move: choose the tile that was laid, and its place.`,
  },
};
