// The words of the games that can be opened.

export const TEXTS = {
  daily: (/** @type {string} */ title, /** @type {string} */ date) =>
    `${title} solitaire, with the bag of the day (${date})`,
  own: "My games",
  game: (/** @type {string} */ title, /** @type {string[]} */ partners, /** @type {string[]} */ others) =>
    `${title}${partners.length ? ` with ${partners.join(", ")}` : ""}${others.length ? ` against ${others.join(", ")}` : ""}`,
  name: (/** @type {string} */ title) => `Name of the game ${title}`,
  state: (/** @type {number} */ total, /** @type {string} */ headline) => `Move ${total}. ${headline}`,
  shown: "open now",
  play: "Go on",
  look: "Look at it",
  remove: "Delete",
  sure: "Delete for good",
  keep: "Keep",
  text: "Record or position",
  file: "File with a record or a position",
};
