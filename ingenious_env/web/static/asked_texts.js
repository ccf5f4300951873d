// The words of a take back that is asked for.

export const TEXTS = {
  title: (/** @type {string} */ name) => `${name} asks for a take back`,
  text: "If you allow it, the game goes back to the last decision of this player.",
  allow: "Allow",
  refuse: "Refuse",
  waits: "You ask for a take back; another person decides. Any move goes on with the game.",
};
