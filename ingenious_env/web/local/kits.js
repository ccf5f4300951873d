// The games of this page: their facts, kernels and networks, each loaded when it is first needed.

import { Engine } from "./engine.js";
import { Variant } from "./games.js";
import { Desk } from "./position.js";
import { LOCAL } from "./texts.js";

/** @import { Kit } from "./session.js" */
/** @import { GameFacts, RealFacts } from "./types.js" */

const FOLDER = new URL("../../data/", import.meta.url);

/** The answer for a file; throws if it is not there. @param {string} name */
async function file(name) {
  const answer = await fetch(new URL(name, FOLDER));
  if (!answer.ok) throw new Error(LOCAL.notLoaded(name, answer.status));
  return answer;
}

/** The bytes of a file. @param {string} name */
const bytesOf = async (name) => (await file(name)).arrayBuffer();

/** A function whose result for each text is made once, and again after a failure. @template T
 * @param {(text: string) => Promise<T>} make @returns {(text: string) => Promise<T>} */
function once(make) {
  /** @type {Map<string, Promise<T>>} */
  const made = new Map();
  return (text) => {
    const found = made.get(text) || make(text);
    made.set(text, found);
    found.catch(() => made.delete(text));
    return found;
  };
}

const jsonOf = once(async (name) => (await file(name)).json());

/** The games of this page. @returns {Promise<GameFacts[]>} */
export const allGames = () => jsonOf("games.json");

/** What real tables and positions of a game need besides. @param {string} game @returns {Promise<RealFacts>} */
export const realFacts = (game) => jsonOf(`${game}-real.json`);

const engineOf = once(async (name) => Engine.of(file(`${name}.wasm`)));

/** The bytes of float32 numbers, of which all first bytes come first, then all second ones, and so on.
 * @param {ArrayBuffer} packed */
export function unpacked(packed) {
  const [from, to] = [new Uint8Array(packed), new Uint8Array(packed.byteLength)];
  const count = from.length / Float32Array.BYTES_PER_ELEMENT;
  from.forEach((byte, k) => (to[(k % count) * Float32Array.BYTES_PER_ELEMENT + Math.floor(k / count)] = byte));
  return to;
}

const desks = once(async (key) => {
  const [name, preset] = key.split(" ");
  const [facts, engine] = await Promise.all([
    file(`${name}-${preset}.json`).then((answer) => answer.json()),
    engineOf(name),
  ]);
  const [tables, packed] = await Promise.all([
    bytesOf(facts.tables.file),
    facts.value ? bytesOf(facts.value.weights) : null,
  ]);
  return new Desk(new Variant(engine, facts, new Uint8Array(tables), packed && unpacked(packed)));
});

/** The games of a preset in which positions are looked at. @param {string} game @param {string} preset */
export const deskOf = (game, preset) => desks(`${game} ${preset}`);

/** The facts of a game. @param {string} name */
export async function aboutGame(name) {
  const about = (await allGames()).find(({ game }) => game === name);
  if (!about) throw new Error(`there is no game ${name}`);
  return about;
}

const kits = once(async (key) => {
  const [name, preset] = key.split(" ");
  const about = await aboutGame(name);
  const [desk, texts] = await Promise.all([deskOf(name, preset), import(`../../games/${name}/page/local.js`)]);
  return /** @type {Kit} */ ({ about, preset, desk, texts });
});

/** A preset ready to be played. @param {string} game @param {string} preset */
export const kitOf = (game, preset) => kits(`${game} ${preset}`);

/** Load a preset and the board of its game before a table needs them; a failure is shown when one does.
 * @param {string} game @param {string} preset */
export function prepare(game, preset) {
  Promise.all([kitOf(game, preset), import(`../../games/${game}/page/game.js`)]).catch(() => null);
}
