// Communication with the server: JSON over plain requests, news by server-sent events.

import { store, stored } from "./stored.js";

export class Refused extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super((body && body.error) || `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** The reason why a request failed. @param {any} error */
export const reasonOf = (error) =>
  error instanceof Refused ? error.message : "the server does not answer; it may have been ended";

/** @param {Response} answer */
async function read(answer) {
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, body);
  return body;
}

/** @param {string} path @param {Record<string, any>} [query] */
export async function get(path, query) {
  const given = Object.entries(query || {}).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return read(await fetch(`/api/${path}${text ? `?${text}` : ""}`));
}

/** @param {string} path @param {any} body */
export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return read(await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Listen to a table until `close()` of the result. An answer that is no stream, as a proxy's error, ends an
 * `EventSource` for good; then it is made anew.
 * @param {string} id @param {string} keys @param {Record<string, (content: any) => void>} handlers */
export function listen(id, keys, handlers) {
  let [timer, seconds] = [0, 1];
  const connect = () => {
    const source = new EventSource(`/api/tables/${id}/events?${new URLSearchParams({ keys })}`);
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    }
    source.onopen = () => (seconds = 1);
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => (current = connect()), 1000 * seconds);
      seconds = Math.min(60, 2 * seconds);
    };
    return source;
  };
  let current = connect();
  return { close: () => (clearTimeout(timer), current.close()) };
}

const STORE = "ingenious-tables";

/** The keys of the seats that this browser has at tables, by their ids. @returns {Record<string, string>} */
export function keysByTable() {
  return Object.fromEntries(Object.entries(stored(STORE)).filter(([, keys]) => typeof keys === "string"));
}

/** @param {string} id @param {string} keys */
export function keep(id, keys) {
  const entries = [...Object.entries(keysByTable()).filter(([name]) => name !== id), [id, keys]].slice(-200);
  store(STORE, Object.fromEntries(entries));
}
