// Was Gegner sind, in einem Satz.

/** @type {typeof import("../../../../web/static/agents_texts.js").AGENTS} */
export const AGENTS = {
  uniform: "Spielt zufällig.",
  greedy: "Nimmt immer die meisten Punkte.",
  lowest: "Nimmt den Zug, der seine niedrigsten Farben am meisten hebt.",
  concave: "Nimmt Punkte, und zwar umso lieber, je niedriger die Farbe steht.",
  planner: "Plant alle Steine seines Zuges zusammen und lässt den Nächsten wenig Punkte übrig.",
  "flat-mc":
    "Probiert die Züge mit den meisten Punkten: spielt nach jedem viele Male weiter, mit neu gezogenen Steinen.",
  tree: "Probiert Züge durch Weiterspielen, am häufigsten die, nach denen es gut läuft.",
  value: "Ein Netz, das gegen sich selbst gespielt hat: nimmt den Zug zur besten Stellung.",
  "value-search": "Probiert die besten Züge des Netzes: spielt nach jedem viele Male weiter.",
  ppo: "Ein Netz, das gelernt hat, Züge zu wählen.",
  sb3: "Ein gespeichertes Modell von Stable-Baselines3.",
  torch: "Ein gespeichertes Modul von PyTorch.",
  openspiel: "Ein Bot von OpenSpiel.",
  process: "Ein eigenes Programm.",
};
