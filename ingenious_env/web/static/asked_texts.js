// The words of a take back that is asked for; a translation is another object of this form in the place of this one.

export const TEXTS = {
  title: (/** @type {string} */ name) => `${name} asks for a take back`,
  text: "If you allow it, the game goes back to the last decision of this player.",
  allow: "Allow",
  refuse: "Refuse",
  waits: "You ask for a take back; another person decides. Any move goes on with the game.",
};
