// The requests of the page, and the keys of its seats.

import { store, stored } from "./stored.js";
import { TEXTS } from "./texts.js";
import { ask, silence } from "./transport.js";

export { fileOf, listen } from "./transport.js";

export class Refused extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super((body && body.error) || TEXTS.answered(status));
    this.status = status;
    this.body = body;
  }
}

/** The reason why a request failed. @param {any} error */
export const reasonOf = (error) => (error instanceof Refused ? error.message : silence(error));

/** The content of an answer; throws `Refused`. @param {Promise<{ status: number, body: any }>} answer */
async function read(answer) {
  const { status, body } = await answer;
  if (status >= 300) throw new Refused(status, body);
  return body;
}

/** @param {string} path @param {Record<string, any>} [query] */
export const get = (path, query = {}) => read(ask(path, query));

/** @param {string} path @param {any} body @param {AbortSignal} [signal] that the answer is no longer waited for */
export const post = (path, body, signal) => read(ask(path, {}, body, signal));

export const STORE = "ingenious-tables";

/** The keys of the seats that this browser has at tables, by their ids. @returns {Record<string, string>} */
export function keysByTable() {
  return Object.fromEntries(Object.entries(stored(STORE)).filter(([, keys]) => typeof keys === "string"));
}

/** @param {string} id @param {string} keys */
export function keep(id, keys) {
  const entries = [...Object.entries(keysByTable()).filter(([name]) => name !== id), [id, keys]].slice(-200);
  store(STORE, Object.fromEntries(entries));
}
