// Talking to the server: JSON over plain requests, news by server-sent events.

export class Refused extends Error {
  /** @param {number} status */
  constructor(status, body) {
    super((body && body.error) || `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

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

/** @param {string} path */
export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return read(await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Listen to a table until `close()` of what is returned.
 * @param {string} id @param {string} keys @param {Record<string, (content: any) => void>} handlers */
export function listen(id, keys, handlers) {
  const source = new EventSource(`/api/tables/${id}/events?${new URLSearchParams({ keys })}`);
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => {
      const data = /** @type {MessageEvent} */ (event).data;
      handler(data === undefined ? null : JSON.parse(data));
    });
  }
  return source;
}

const STORE = "ingenious-tables";

/** The keys of the seats that this browser has at tables, by their ids. @returns {Record<string, string>} */
export function keysByTable() {
  try {
    return JSON.parse(localStorage.getItem(STORE) || "{}");
  } catch {
    return {};
  }
}

/** @param {string} id @param {string} keys */
export function keep(id, keys) {
  const entries = [...Object.entries(keysByTable()).filter(([name]) => name !== id), [id, keys]].slice(-200);
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // a browser that keeps nothing: the game lasts as long as the page
  }
}
