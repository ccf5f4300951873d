// The worker of this page, made on first use: it has its own instance of the kernels, so that the page does not wait.

/** @import { Kit } from "./session.js" */
/** @import { jobs } from "./jobs.js" */

/** @type {Worker | null} */
let worker = null;
let count = 0;
/** the requests without an answer @type {Map<number, { resolve: (found: any) => void, reject: (error: Error) => void }>} */
const pending = new Map();

function started() {
  const made = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  made.onmessage = ({ data: { number, found, error } }) => {
    const request = pending.get(number);
    pending.delete(number);
    if (error === undefined) request?.resolve(found);
    else request?.reject(new Error(error));
  };
  made.onerror = (event) => {
    made.terminate();
    worker = null;
    for (const { reject } of pending.values()) reject(new Error(event.message || "the worker cannot be loaded"));
    pending.clear();
  };
  return made;
}

/** What a job of the worker finds for a preset; rejects if it fails. @template {keyof typeof jobs} N @param {N} name
 * @param {Kit} kit @param {Parameters<(typeof jobs)[N]>[1]} given
 * @returns {Promise<ReturnType<(typeof jobs)[N]>>} */
export function ask(name, { about, preset }, given) {
  worker ||= started();
  const [number, to] = [++count, worker];
  return new Promise((resolve, reject) => {
    pending.set(number, { resolve, reject });
    to.postMessage({ number, name, game: about.game, preset, given });
  });
}
