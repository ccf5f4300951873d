// All positions of a game that is over, for a page that plays it back: the counterpart of `render/player.py`; loaded on
// first use.

/** @import { Table } from "./table.js" */

/** the parts of a scene that are not drawn there */
const FOR_PLAYING = new Set(["points", "room", "open", "legal", "choices", "left"]);

/** The positions with all racks open, from the first on. @param {Table} table */
export function replayStates(table) {
  const { session } = table;
  const { texts } = session.kit;
  const names = table.names();
  return Array.from({ length: session.turns.length + 1 }, (_, number) => {
    const position = session.at(number);
    const scene = Object.entries(texts.scene(position, position.toPlay));
    return {
      names,
      seat: null,
      yours: [],
      to_play: position.toPlay,
      terminal: position.isOver,
      ranks: position.ranks(),
      headline: texts.headline(position, null, names),
      last: number ? table.moveShown(session.turns[number - 1], position) : null,
      scene: Object.fromEntries(scene.filter(([name]) => !FOR_PLAYING.has(name))),
      revealed: position.racks(),
    };
  });
}
