// All positions of a game that is over, for a page that plays it back: the counterpart of `render/player.py`; loaded on
// first use.

/** @import { Table } from "./table.js" */

/** The positions with all racks open, from the first on. @param {Table} table */
export function replayStates(table) {
  const { session } = table;
  const { texts } = session.kit;
  const { for_playing: omitted } = table.about;
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
      scene: Object.fromEntries(scene.filter(([name]) => !omitted.includes(name))),
      revealed: position.racks(),
    };
  });
}
