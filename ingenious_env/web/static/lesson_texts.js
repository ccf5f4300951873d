// The words of the rules.

/** A page of the rules. @typedef {{ title: string, text: string }} Lesson */

/** By game, the pages by name. @type {Record<string, Record<string, Lesson>>} */
export const LESSONS = {
  ingenious: {
    lay: {
      title: "Lay a tile",
      text:
        "In your turn you lay one of your tiles on two free cells next to each other. Each half of a tile has a colour " +
        "and its shape. In the first round your tile must touch a printed symbol that no other tile touches.",
    },
    layAlone: {
      title: "Lay your tile",
      text:
        "You have one tile at a time. You lay it on two free cells next to each other, and get the next one. Each half of " +
        "a tile has a colour and its shape. The first tile must touch a printed symbol.",
    },
    score: {
      title: "Score its colours",
      text:
        "From each half, look along the five rows that do not lead to the other half: each cell of the same colour, up " +
        "to the first other one, is a point in that colour. The outlined tile scored 5 in blue: four cells to its " +
        "right, and one above it.",
    },
    lowest: {
      title: "The lowest colour decides",
      text:
        "Each colour has its own counter. At the end, whoever has the higher lowest counter wins; if these are equal, the " +
        "next lowest decides. This player has 16 in blue, and still 0 in four colours.",
    },
    lowestAlone: {
      title: "Your lowest colour is your result",
      text:
        "Each colour has its own counter, from 0 to 36. Your result is the lowest one at the end: make it as high as you " +
        "can. Here it is green, with 11. Each counter stops at 18 first: what a tile scores beyond that is lost.",
    },
    lowestPartners: {
      title: "You share your counters",
      text:
        "You and your partner both score on one sheet. Each colour has its own counter, from 0 to 36, which stops at 18 " +
        "first: what a tile scores beyond that is lost. At the end, the side with the higher lowest counter wins; if " +
        "these are equal, the next lowest decides. Here your side has 35 in yellow, but only 3 in red.",
    },
    full: {
      title: "Ingenious!",
      text:
        "If a counter reaches its last space, as this blue one, you lay another tile at once. If none of your tiles shows " +
        "your lowest colour at the end of your turn, you may swap them all. The game ends when no two free cells are " +
        "adjacent.",
    },
    fullPartners: {
      title: "Ingenious!",
      text:
        "If a counter reaches 18, as this blue one, or later 36, the same player lays another tile at once. If none of your " +
        "tiles shows your side's lowest colour at the end of your turn, you may swap them all. The game ends when no two " +
        "free cells are adjacent.",
    },
    endAlone: {
      title: "The end, and the bag of the day",
      text:
        "The game ends when no two free cells are adjacent. The page always shows what is left in the bag. With the bag of " +
        "the day, everybody gets the same tiles in the same order: compare your results, " +
        "at the end with those of agents, too. Each day has another bag.",
    },
  },
  loopit: {
    lay: {
      title: "Lay tiles",
      text:
        "In your turn you lay one to three of your tiles, one after the other. A tile is never turned. It must continue a " +
        "line; where it lies next to a tile, both must have a line end there, or neither. No line ends at the edge.",
    },
    score: {
      title: "Score each tile",
      text:
        "A tile scores its value, and the values of the tiles that its lines join it to. The outlined 8 scored 18: its " +
        "own 8, the 4 above it and the 6 beside it.",
    },
    factors: {
      title: "Multipliers",
      text:
        "A coloured square multiplies the value of the tile that is laid on it: 2× doubles it, 6× counts it six times. " +
        "The values of its neighbours are added as they are. Whoever builds a line towards a high one should be the " +
        "first to get there.",
    },
    end: {
      title: "The end",
      text:
        "A player who cannot lay a tile may throw all back and draw new ones. The game ends when no tile that is left fits " +
        "anywhere. The player with the most points wins: here 310 to 304.",
    },
  },
};

export const RULES = { title: "The rules of", next: "Next", before: "Back", whole: "All rules", close: "Close" };
