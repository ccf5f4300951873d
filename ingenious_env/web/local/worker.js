// A worker of a page: it does jobs, one after the other, by its own instance of the kernels.

import { jobs } from "./jobs.js";
import { aboutGame, deskOf } from "./kits.js";

/** @import { Job } from "./types.js" */

addEventListener(
  "message",
  async (/** @type {MessageEvent<Job>} */ { data: { number, name, game, preset, given } }) => {
    try {
      const job = /** @type {Record<string, (...given: any[]) => any>} */ (jobs)[name];
      const [about, desk] = await Promise.all([aboutGame(game), deskOf(game, preset)]);
      postMessage({ number, found: job({ about, desk }, given) });
    } catch (error) {
      postMessage({ number, error: error instanceof Error ? error.message : String(error) });
    }
  },
);
