// The words of the comparison with agents.

export const TEXTS = {
  title: "Bag of the day",
  results: "Results in the bag of the day",
  playing: "The agents are playing it, too…",
};
