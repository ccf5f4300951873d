// The judgements of a table's moves, each made once: the counterpart of `web/analysis.py`.

import { judge } from "./agents.js";
import { HUMAN } from "./table.js";

/** @import { Judgement } from "./agents.js" */
/** @import { Table } from "./table.js" */
/** @import { Turn } from "./types.js" */

export class Analysis {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Map<Turn, Judgement>} */
    this.found = new Map();
  }

  /** The judgements of the moves visible to a seat. Until the game is over, a player only sees the own moves, as those
   * of others depend on their racks. @param {number | null} seat */
  of(seat) {
    const { table } = this;
    const { session } = table;
    const { value } = session.now.facts;
    const isOpen = table.isOver || !table.seats.includes(HUMAN);
    const turns = [...session.turns.entries()].filter(([, turn]) => isOpen || turn.seat === seat);
    const judged = turns.map(([number, turn]) => this.entry(number, turn));
    const [first] = turns.map(([, turn]) => this.found.get(turn));
    return {
      unit: first ? first.unit : null,
      calibrated: first ? first.calibrated : false,
      highest: value ? value.highest : null,
      results: this.results(),
      luck: null, // which would take another kernel
      turns: judged,
    };
  }

  /** @param {number} number @param {Turn} turn */
  entry(number, turn) {
    const { session, about, public: numbers } = this.table;
    const position = session.at(number);
    const judged = this.found.get(turn) || judge(about.policies[about.judge], position, turn.action);
    this.found.set(turn, judged);
    return {
      at: numbers.filter((count) => count <= number + 1).length - 2,
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
    if (ranks.length === 1) return [Math.min(...position.scores()[0])];
    const first = ranks.filter((rank) => rank === 1).length;
    return ranks.map((rank) => (rank === 1 ? 1 / first : 0));
  }
}
