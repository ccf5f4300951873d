// A game that is over as a page of its own, which plays it back, made as by `render/player.py`; loaded on first use.

import { get } from "./api.js";
import { app } from "./store.js";

const HOME = new URL("../../", import.meta.url);
const STYLES = ["web/static/theme.css", "render/static/drawing.css", "render/static/player.css"];
const IMPORT = /^import \{[^}]*\} from "(\.[^"]+)";\n/gm;

/** @param {string} address */
async function textAt(address) {
  const answer = await fetch(new URL(address, HOME));
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.text();
}

/** Modules and their imports as one module, each once and after its dependencies. @param {string[]} paths */
async function joined(paths) {
  const seen = new Set();
  const parts = /** @type {string[]} */ ([]);
  const add = async (/** @type {string} */ address) => {
    if (seen.has(address)) return;
    seen.add(address);
    const text = await textAt(address);
    for (const [, needed] of text.matchAll(IMPORT)) await add(new URL(needed, address).href);
    parts.push(text.replace(IMPORT, "").replace(/^export /gm, ""));
  };
  for (const path of paths) await add(new URL(path, HOME).href);
  return parts.join("");
}

/** Content compressed by gzip, in base 64. @param {any} content */
async function packed(content) {
  const stream = new Blob([JSON.stringify(content)]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The page of the game that is shown, with all racks open. */
export async function savedPage() {
  const { about, table, keys } = app;
  const { states } = await get(`tables/${table.id}/replay`, { keys });
  /** @type {Record<string, string>} */
  const parts = {
    language: document.documentElement.lang,
    title: new Option(about.title).innerHTML,
    styles: (await Promise.all(STYLES.map(textAt))).join(""),
    record: await packed({ look: about, states }),
    script: await joined([`games/${table.game}/page/game.js`, "render/static/player.js"]),
  };
  const text = (await textAt("render/static/replay.html")).replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  return new Blob([text], { type: "text/html" });
}
