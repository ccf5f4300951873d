// The tables of this page, the agents that play at them, and the pages that listen.

import { Analysis } from "./analysis.js";
import { HUMAN } from "./table.js";
import { LOCAL } from "./texts.js";
import { decide } from "./thinking.js";

/** @import { Stop } from "./halving.js" */
/** @import { Position } from "./position.js" */
/** @import { Table } from "./table.js" */
/** @import { PolicyFacts } from "./types.js" */
/** @typedef {Record<string, (content: any) => void>} Handlers */

/** A pause, in which the page is drawn. @param {number} [seconds] */
const pause = (seconds = 0) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** The result of a search, which is asked by its flag to stop after some seconds.
 * @template T @param {number} seconds @param {(stop: Stop) => Promise<T>} search */
export async function within(seconds, search) {
  const stop = { isStopped: false };
  const timer = setTimeout(() => (stop.isStopped = true), 1000 * seconds);
  try {
    return await search(stop);
  } finally {
    clearTimeout(timer);
  }
}

export class Room {
  /** @param {Table} table @param {(table: Table) => void} keep @param {Set<Handlers>} [listeners] to its events */
  constructor(table, keep, listeners = new Set()) {
    this.table = table;
    this.keep = keep;
    this.analysis = new Analysis(table);
    this.listeners = listeners;
    /** whether agents are at play, and what ends the search of the one to move @type {boolean} */
    this.isPlaying = false;
    /** @type {Stop | null} */
    this.thought = null;
    /** what ends the search for advice @type {Stop | null} */
    this.advising = null;
    /** whether the table was deleted or left */
    this.isClosed = false;
  }

  /** End all searches, as the table is left. */
  end() {
    this.isClosed = true;
    this.stop();
    if (this.advising) this.advising.isStopped = true;
  }

  /** End all searches, as the table is deleted, and tell the listeners. */
  close() {
    this.end();
    this.notify("failed", { error: LOCAL.deleted });
  }

  /** Whether an agent is to move. */
  get isThinking() {
    return this.isPlaying && !this.table.isOver && !this.table.isWaiting;
  }

  /** Tell all listeners of an event. @param {string} event @param {any} content */
  notify(event, content) {
    for (const handlers of this.listeners) handlers[event]?.(content);
  }

  /** Keep the table, unless it was deleted or left. */
  save() {
    if (!this.isClosed) this.keep(this.table);
  }

  /** Keep a change, and tell the listeners. */
  changed() {
    this.stop(); // of the position before
    this.thought = null;
    if (this.advising) this.advising.isStopped = true;
    this.save();
    this.notify("state", { version: this.table.version });
  }

  /** Make the agent decide that is to move; whether one is searching. */
  stop() {
    if (this.thought) this.thought.isStopped = true;
    return this.thought !== null;
  }

  /** Let agents play until a person is to move, or the game is over. */
  async resume() {
    const { table } = this;
    if (this.isPlaying || table.isOver || table.isWaiting) return;
    this.isPlaying = true;
    try {
      while (!this.isClosed && !table.isOver && !table.isWaiting) {
        const { now } = table.session;
        await pause();
        const actions = table.session.isAt(now) ? await this.decided(now) : [];
        if (this.isClosed || !table.session.isAt(now)) continue; // deleted or left, or moves were taken back
        for (const action of actions) table.play(action);
        this.changed();
      }
    } catch (error) {
      this.notify("failed", { error: LOCAL.agentFailed(table.names()[table.toPlay], error) });
    } finally {
      this.isPlaying = false;
    }
  }

  /** The next action of the agent to move, and the choice after it that is shown with it. @param {Position} position */
  async decided(position) {
    const { table } = this;
    const policy = table.about.policies[table.seats[position.toPlay]];
    if (policy.kind === "search") this.notify("thinking", { seat: position.toPlay });
    const action = await this.think(policy, position, table.about.longest);
    const hides = policy.kind === "search" && table.about.private.length > 0 && table.seats.includes(HUMAN);
    if (!hides || position.choiceOf(action) || !table.session.isAt(position)) return [action];
    const choice = await this.choiceAfter(policy, position, action);
    return choice === null ? [action] : [action, choice];
  }

  /** The choice of an agent that searches after its own move; null if it has none. It thinks for as long in either case:
   * otherwise the time of its move would tell others of its rack. @param {PolicyFacts} policy @param {Position} position
   * before the move @param {number} action */
  async choiceAfter(policy, position, action) {
    const { table } = this;
    const { choice_time: seconds } = table.about;
    const after = table.session.follow(position, action);
    if (after.isOver) return null;
    const mayChoose = after.toPlay === position.toPlay && table.privateActions(after).length > 0;
    const [choice] = await Promise.all([
      this.think(policy, mayChoose ? after : position, (seconds * 2) / 3),
      pause(seconds),
    ]);
    return mayChoose ? choice : null;
  }

  /** @param {PolicyFacts} policy @param {Position} position @param {number} seconds */
  async think(policy, position, seconds) {
    return within(seconds, async (stop) => {
      this.thought = policy.kind === "search" ? stop : null;
      try {
        return await decide(policy, this.table.session.kit, position, stop);
      } finally {
        if (this.thought === stop) this.thought = null;
      }
    });
  }
}
