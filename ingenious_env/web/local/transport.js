// Requests to the page itself, in the place of those to a server (see `web/static/transport.js`).

import { heldRoom } from "./held.js";
import { Refusal } from "./refusal.js";
import { answer } from "./requests.js";
import { LOCAL } from "./texts.js";

/** @import { Transport } from "../static/types.js" */

/** @type {Transport["ask"]} */
export const ask = async (path, query, body, signal) => answer(path, { ...query, ...body }, signal);

/** @type {Transport["listen"]} */
export function listen(id, _keys, handlers) {
  const room = heldRoom(id);
  room.then(
    (found) => {
      found.listeners.add(handlers);
      found.resume(); // after a reload, an agent may have to move
    },
    (error) => handlers.failed?.({ error: error instanceof Refusal ? error.message : silence(error) }),
  );
  return { close: () => room.then((found) => found.listeners.delete(handlers)).catch(() => false) };
}

/** @type {Transport["fileOf"]} */
export const fileOf = () => null;

/** @type {Transport["silence"]} */
export const silence = LOCAL.failed;
