// The words that every page needs that teaches a game; those that are loaded on first use are in `lesson_texts.js` and
// `play_texts.js`. A translation is another object of this form in the place of this one.

export const TEXTS = {
  taught: ["ingenious", "loopit"], // the games that have lessons
  rules: "Rules",
  open: "My games, a record, the daily bag",
  newHere: { title: "New here?", rules: "The rules in a minute", guided: "A guided first move" },
  real: {
    button: "At a real table",
    missing: "To get hints at a real table, install the package and run `ingenious play`.",
    shows: (/** @type {string} */ name, /** @type {string} */ choice) => `${name}: ${choice.toLowerCase()}`,
    other: (/** @type {string} */ name) => `${name} to move: choose the tile that was laid, and its place.`,
  },
  level: { how: "How strong?", others: "Other agents and seats" },
};
