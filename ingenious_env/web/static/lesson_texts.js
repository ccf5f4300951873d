// The words of the rules.

/** A page of the rules, and the part of the game's picture beside it, as a viewBox; "" for no picture.
 * @typedef {{ title: string, text: string, view: string }} Lesson */

/** @type {Record<string, Lesson[]>} */
export const LESSONS = {
  ingenious: [
    {
      title: "Lay a tile",
      text:
        "In your turn you lay one of your tiles on two free cells next to each other. Each half of a tile has a colour " +
        "and its shape. In the first round your tile must touch a printed symbol that no other tile touches.",
      view: "15 60 630 546",
    },
    {
      title: "Score its colours",
      text:
        "From each half, look along the five rows that do not lead to the other half: each cell of the same colour, up " +
        "to the first other one, is a point in that colour. The outlined tile scored 5 in blue: four cells to its " +
        "right, and one above it.",
      view: "290 250 330 240",
    },
    {
      title: "The lowest colour decides",
      text:
        "Each colour has its own counter. At the end, whoever has the higher lowest counter wins; if these are equal, the " +
        "next lowest decides. This player has 16 in blue, and still 0 in four colours.",
      view: "650 66 344 268",
    },
    {
      title: "Ingenious!",
      text:
        "If a counter reaches its last space, you lay another tile at once. If none of your tiles shows your lowest " +
        "colour at the end of your turn, you may swap them all. The game ends when no two free cells are adjacent.",
      view: "",
    },
  ],
  loopit: [
    {
      title: "Lay tiles",
      text:
        "In your turn you lay one to three of your tiles, one after the other. A tile is never turned. It must continue a " +
        "line; where it lies next to a tile, both must have a line end there, or neither. No line ends at the edge.",
      view: "270 230 200 240",
    },
    {
      title: "Score each tile",
      text:
        "A tile scores its value, and the values of the tiles that its lines join it to. The outlined 8 scored 18: its " +
        "own 8, the 4 above it and the 6 beside it.",
      view: "270 230 200 140",
    },
    {
      title: "Multipliers",
      text:
        "A coloured square multiplies the value of the tile that is laid on it: 2× doubles it, 6× counts it six times. " +
        "The values of its neighbours are added as they are. Whoever builds a line towards a high one should be the " +
        "first to get there.",
      view: "14 60 580 580",
    },
    {
      title: "The end",
      text:
        "Who can lay no tile may throw all back and draw new ones. The game ends when no tile that is left fits " +
        "anywhere. The most points win.",
      view: "",
    },
  ],
};

export const RULES = { title: "The rules of", next: "Next", before: "Back", whole: "All rules", close: "Close" };
