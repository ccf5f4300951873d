// Requests to the page itself, in the place of those to a server (see `web/static/transport.js`).

import { heldRoom, leaveOthers, listenersOf } from "./held.js";
import { Refusal } from "./refusal.js";
import { answer } from "./requests.js";
import { LOCAL } from "./texts.js";

/** @import { Transport } from "../static/types.js" */

/** @type {Transport["ask"]} */
export const ask = async (path, query, body, signal) => answer(path, { ...query, ...body }, signal);

/** Get hold of a table, and let go of all others. If another tab has it, this one listens from a later success on. As
 * from a server, the first event tells the version: moves may have been made since the state was read.
 * @type {Transport["listen"]} */
export function listen(id, _keys, handlers) {
  leaveOthers(id);
  const all = listenersOf(id).add(handlers);
  const report = (/** @type {string} */ event, /** @type {any} */ content) =>
    all.has(handlers) && handlers[event]?.(content);
  heldRoom(id).then(
    ({ table }) => report("state", { version: table.version }),
    (error) => report("failed", { error: error instanceof Refusal ? error.message : silence(error) }),
  );
  return { close: () => all.delete(handlers) };
}

/** @type {Transport["fileOf"]} */
export const fileOf = () => null;

/** @type {Transport["silence"]} */
export const silence = LOCAL.failed;
