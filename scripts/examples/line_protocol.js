// An agent in another language, by the protocol of docs/reference/protocol.md: the placement that scores most in
// Ingenious, the tile with the highest product of its value and its square's factor in Loopit.
//
//     ingenious match "process:command=node scripts/examples/line_protocol.js" uniform --deals 20
//     ingenious match "process:command=node scripts/examples/line_protocol.js" uniform --deals 20 --game loopit
"use strict";

const worths = {
  // moves such as "r2,-5 b3,-5", or the name of a choice
  ingenious(move, { points }, { cells, colours }) {
    const halves = [...move.matchAll(/([a-z])(-?\d+),(-?\d+)/g)].map(([, letter, q, r]) => {
      const colour = colours.findIndex((each) => each[1] === letter);
      const cell = cells.findIndex((each) => each[0] === Number(q) && each[1] === Number(r));
      return points[colour][cell];
    });
    return halves.reduce((sum, each) => sum + each, 0);
  },
  // moves such as "ES1@4,5"
  loopit(move, _position, { factors }) {
    const [, value, row, column] = /(\d+)@(\d+),(\d+)/.exec(move) ?? [];
    return value === undefined ? 0 : Number(value) * factors[Number(row)][Number(column)];
  },
};

let worth, look;
const answers = {
  rules({ protocol, game, look: constant }) {
    if (protocol !== 1) return { error: `this program speaks protocol 1, not ${protocol}` };
    if (!(game in worths)) return { error: `this program does not play ${game}` };
    [worth, look] = [worths[game], constant];
    return { protocol: 1 };
  },
  begin: () => ({}),
  act({ actions, moves, position }) {
    const found = moves.map((move) => worth(move, position, look));
    return { action: actions[found.indexOf(Math.max(...found))] };
  },
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    console.log(JSON.stringify(answers[message.type](message)));
  });
