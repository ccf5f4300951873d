// What agents are, in a sentence.

/** By kind. @type {Record<string, string>} */
export const AGENTS = {
  uniform: "Plays at random.",
  greedy: "Takes the most points at once.",
  lowest: "Takes the move that raises its lowest colours most.",
  concave: "Takes points, and prefers colours whose counters are low.",
  planner: "Plans all tiles of its turn together, and leaves few points to the next player.",
  "flat-mc": "Tries the moves with the most points: plays on from each many times, with new draws.",
  tree: "Plays on from each move many times, more often from those with good results.",
  value: "A network that has played against itself: plays the move to the best position.",
  "value-search": "Tries the best moves of the network: plays on from each many times.",
  ppo: "A network that was trained to choose moves.",
  sb3: "A saved model of Stable-Baselines3.",
  torch: "A saved module of PyTorch.",
  openspiel: "A bot of OpenSpiel.",
  process: "A separate program.",
};
