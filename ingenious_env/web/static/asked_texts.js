// The words of a request to take a move back.

export const TEXTS = {
  title: (/** @type {string} */ name) => `${name} asks to take a move back`,
  text: "If you allow it, the game goes back to the last decision of this player.",
  allow: "Allow",
  refuse: "Refuse",
  waits: "You have asked to take a move back; another player decides. Any further move cancels this.",
};
