// The judgements of a table's moves, each made once: the counterpart of `web/analysis.py`.

import { judge, marksOf } from "./agents.js";
import { ask } from "./background.js";
import { estimated } from "./estimate.js";

/** @import { Judgement } from "./agents.js" */
/** @import { QuickFacts } from "./types.js" */
/** @import { Table } from "./table.js" */
/** @import { Turn } from "./types.js" */

export class Analysis {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Map<Turn, Judgement>} */
    this.found = new Map();
    /** the last turn of the game whose luck is known, and that luck, by sheet
     * @type {{ last: Turn | undefined, luck: Promise<number[] | null> } | null} */
    this.drawn = null;
  }

  /** The judgements of the moves visible to a seat. Until the game is over, a player only sees the own moves, as those
   * of others depend on their racks. @param {number | null} seat */
  async of(seat) {
    const luck = await this.luck();
    const { table } = this;
    const { session } = table;
    const { value } = session.now.facts;
    const turns = [...session.turns.entries()].filter(([, turn]) => table.isOpen || turn.seat === seat);
    const judged = turns.map(([number, turn]) => this.entry(number, turn));
    const [first] = turns.map(([, turn]) => this.found.get(turn));
    return {
      unit: first ? first.unit : null,
      calibrated: first ? first.calibrated : false,
      marks: first ? marksOf(table.about, first.unit, first.calibrated) : [],
      highest: value ? value.highest : null,
      results: this.results(),
      luck,
      levels: this.levels(),
      turns: judged,
    };
  }

  /** By sheet, the luck of the draw less the others' mean; null until the game is over, or where it is not known. */
  luck() {
    const { session, isOver } = this.table;
    const { kit, seed, turns } = session;
    if (!isOver || !seed) return null;
    const last = turns[turns.length - 1];
    if (this.drawn?.last !== last) {
      const given = { seed, actions: turns.map(({ action }) => action) };
      this.drawn = { last, luck: ask("luck", kit, given).catch(() => ((this.drawn = null), null)) }; // for want of a worker
    }
    return this.drawn?.luck ?? null;
  }

  /** The estimated level of each seat in a game that is over, where it is known. */
  levels() {
    const { session, isOver } = this.table;
    if (!isOver) return null;
    const judged = session.turns.map((turn) => this.found.get(turn)).filter((each) => each !== undefined);
    const seats = Array.from({ length: session.now.facts.players }, (_, seat) => seat);
    return seats.map((seat) =>
      estimated(
        session.now.facts.levels,
        judged.filter((each) => each.seat === seat),
      ),
    );
  }

  /** @param {number} number @param {Turn} turn */
  entry(number, turn) {
    const { session, about, public: numbers } = this.table;
    const position = session.at(number);
    const judged =
      this.found.get(turn) || judge(/** @type {QuickFacts} */ (about.policies[about.judge]), position, turn.action);
    this.found.set(turn, judged);
    return {
      at: Math.max(0, numbers.filter((count) => count <= number + 1).length - 2), // a game can begin with a choice
      seat: judged.seat,
      sheet: position.sheetOf(judged.seat),
      value: judged.value,
      loss: judged.loss,
      mark: judged.mark,
      move: turn.move,
      best: session.text(position, judged.best),
    };
  }

  /** By sheet, the share of the win; in solitaire the lowest counter; null until the game is over. */
  results() {
    const position = this.table.session.now;
    const ranks = position.ranks();
    if (!ranks) return null;
    if (ranks.length === 1) return [position.lowest];
    const first = ranks.filter((rank) => rank === 1).length;
    return ranks.map((rank) => (rank === 1 ? 1 / first : 0));
  }
}
