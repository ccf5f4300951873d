// The tables of this page, the agents that play at them, and the pages that listen.

import { choose } from "./agents.js";
import { Analysis } from "./analysis.js";

/** @import { Table } from "./table.js" */
/** @typedef {Record<string, (content: any) => void>} Handlers */

/** A pause in which the page is drawn. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

export class Room {
  /** @param {Table} table @param {(table: Table) => void} save */
  constructor(table, save) {
    this.table = table;
    this.save = save;
    this.analysis = new Analysis(table);
    /** @type {Set<Handlers>} */
    this.listeners = new Set();
    this.isThinking = false;
  }

  /** Tell all listeners of an event. @param {string} event @param {any} content */
  notify(event, content) {
    for (const handlers of this.listeners) handlers[event]?.(content);
  }

  /** Keep a change, and tell the listeners. */
  changed() {
    this.save(this.table);
    this.notify("state", { version: this.table.version });
  }

  /** Let agents play until a person is to move, or the game is over. */
  async resume() {
    const { table } = this;
    if (this.isThinking || table.isOver || table.isWaiting) return;
    this.isThinking = true;
    try {
      while (!table.isOver && !table.isWaiting) {
        const turns = table.session.turns.length;
        await pause();
        if (table.session.turns.length !== turns || table.isWaiting) continue; // moves were taken back
        table.play(choose(table.about.policies[table.seats[table.toPlay]], table.session.now));
        this.isThinking = !table.isOver && !table.isWaiting;
        this.changed();
      }
    } catch (error) {
      this.notify("failed", { error: `${table.seats[table.toPlay]} failed: ${error}` });
    } finally {
      this.isThinking = false;
    }
  }
}
