// The words that every page needs that teaches a game; those that are loaded on first use are in `lesson_texts.js` and
// `play_texts.js`. A translation is another object of this form in the place of this one.

export const TEXTS = {
  taught: ["ingenious", "loopit"], // the games that have lessons
  rules: "Rules",
  newHere: { title: "New here?", rules: "The rules in a minute", guided: "A guided first move" },
  level: { how: "How strong?", others: "Other agents and seats" },
};
