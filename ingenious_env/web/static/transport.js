// Requests to the server: JSON over plain requests, news by server-sent events. A page without a server has another
// file in this place, with the same functions.

import { TEXTS } from "./texts.js";

/** @import { Transport } from "./types.js" */

/** @type {Transport["ask"]} */
export async function ask(path, query, body, signal) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const headers = { "Content-Type": "application/json" };
  const posted = body === undefined ? { signal } : { signal, method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`/api/${path}${text ? `?${text}` : ""}`, posted);
  const isText = answer.headers.get("Content-Type")?.startsWith("text/plain");
  return { status: answer.status, body: await (isText ? answer.text() : answer.json().catch(() => null)) };
}

/** An answer that is not a stream, as a proxy's error, ends an `EventSource` for good; then it is made anew.
 * @type {Transport["listen"]} */
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

/** @type {Transport["fileOf"]} */
export const fileOf = (id, name, query) => `/api/tables/${id}/${name}?${new URLSearchParams(query)}`;

/** @type {Transport["silence"]} */
export const silence = () => TEXTS.silence;
