// Sharing a game or its seats, opening a shared one, and continuing a position; loaded on first use.

import { byId, h } from "../../render/static/dom.js";
import { linkTo, textAt, textIn } from "./address.js";
import { fileOf, get, post, reasonOf } from "./api.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { openNewGame } from "./new_game.js";
import { keysOf, leave } from "./seats.js";
import { TEXTS } from "./share_texts.js";
import { app, explain, isCovered, open, showProblem } from "./store.js";
import { create } from "./tables.js";
import { TEXTS as WORDS } from "./texts.js";
import { theme } from "./theme.js";

/** Choose the players that continue the position that is shown; with its history, if it has a record. */
export async function openBranch() {
  const { id, total } = app.table;
  try {
    const text = await textAt({ id, keys: app.keys, at: app.at ?? total });
    if (app.table.id === id) await openNewGame({ text, fixed: true });
  } catch (error) {
    showProblem(reasonOf(error));
  }
}

/** Open the text of an address: a game that is over at once, others after the choice of players.
 * @param {string} address its fragment */
export async function openText(address) {
  const text = textIn(address);
  if (!text) return openNewGame({ problem: WORDS.badLink });
  const found = await post("read", { text }).catch(() => null);
  if (location.hash !== `#${address}`) return; // something else has been opened since
  if (!found?.over) return openNewGame({ text });
  const seats = Array(found.players).fill("human");
  await create({ text, seats }, "replace"); // Back would open the text once more
}

/** Copy a text, or select it where the browser does not allow copying, as without https on other machines.
 * @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = byId("record");
    area.value = text;
    area.select();
  }
}

/** The keys of this page by seat, where it plays for several people at a server. @returns {Promise<Map<number, string>>} */
async function keysBySeat() {
  const { id, yours, over, real } = app.table;
  if (yours.length < 2 || over || real || !fileOf(id, "picture", {})) return new Map();
  const keys = keysOf(id);
  const states = await Promise.all(keys.map((key) => get(`tables/${id}`, { keys: key })));
  return new Map(states.map((state, number) => [state.yours[0], keys[number]]));
}

/** Give a seat to somebody at another page: show its link, and leave the seat. @param {number} seat @param {string} key */
async function give(seat, key) {
  const { id } = app.table;
  leave(id, key);
  const link = `${location.origin}${location.pathname}#${id}.${key}`;
  openDialog(
    h("h2", {}, TEXTS.given(app.table.names[seat])),
    h("p", {}, TEXTS.send),
    h("textarea", { id: "record", readonly: true, rows: 3, "aria-label": TEXTS.link }, link),
    h(
      "p",
      { class: "acts" },
      h("button", { id: "copy", onclick: () => copy(link) }, TEXTS.copyLink),
      h("button", { id: "close", class: "go", onclick: closeDialog }, TEXTS.close),
    ),
  );
  await open(id).catch(explain);
}

/** Save a file that the page makes; its button is disabled meanwhile. @param {HTMLButtonElement} button
 * @param {string} ending @param {() => Promise<Blob | null | undefined>} make */
async function save(button, ending, make) {
  const { textContent } = button;
  button.disabled = true;
  try {
    const made = await make();
    if (made) h("a", { href: URL.createObjectURL(made), download: `${app.table.game}.${ending}` }).click();
  } catch (error) {
    showProblem(reasonOf(error));
  }
  button.disabled = false;
  button.textContent = textContent;
}

/** Save a film of the game so far; the button shows how far it is. @param {HTMLButtonElement} button */
const saveFilm = (button) =>
  save(button, "gif", async () => {
    const { film } = await import("./film.js");
    return film((shown, total) => (button.textContent = TEXTS.filming(shown, total)));
  });

/** Save a page that plays the game back. @param {HTMLButtonElement} button */
const savePage = (button) => save(button, "html", async () => (await import("./saved_page.js")).savedPage());

export async function openShare() {
  const { table } = app;
  const drawn =
    !isCovered() &&
    fileOf(table.id, "picture", {
      keys: app.keys,
      theme: theme(),
      ...(app.at === null ? {} : { at: String(app.at) }),
    });
  let text = "";
  let problem = "";
  try {
    text = await get(`tables/${table.id}/record`, { keys: app.keys });
  } catch (error) {
    problem = reasonOf(error);
  }
  const seats = await keysBySeat().catch(() => new Map());
  const picture = drawn || URL.createObjectURL((await import("./picture.js")).boardPicture()); // of no rack
  if (app.table.id !== table.id) return;
  openDialog(
    h("h2", {}, TEXTS.title),
    text
      ? h("textarea", { id: "record", readonly: true, rows: 8, "aria-label": TEXTS.record }, text)
      : h("p", { class: "muted" }, problem),
    seats.size > 0 && [
      h("h3", {}, TEXTS.invite),
      h("p", { class: "muted" }, TEXTS.invited),
      h(
        "p",
        { class: "acts" },
        [...seats].map(([seat, key]) =>
          h("button", { id: `give${seat}`, onclick: () => give(seat, key) }, TEXTS.give(table.names[seat])),
        ),
      ),
    ],
    h(
      "p",
      { class: "acts" },
      text && h("button", { id: "copy", onclick: () => copy(text) }, TEXTS.copyText),
      text && h("button", { id: "link", onclick: () => copy(linkTo(text)) }, TEXTS.copyLink),
      text &&
        h(
          "a",
          {
            class: "button",
            href: URL.createObjectURL(new Blob([text], { type: "text/plain" })),
            download: `${table.game}.txt`,
          },
          TEXTS.saveText,
        ),
      h(
        "a",
        {
          id: "picture",
          class: "button",
          href: picture,
          download: `${table.game}.svg`,
        },
        TEXTS.savePicture,
      ),
      h("button", { id: "film", onclick: (event) => saveFilm(event.target) }, TEXTS.saveFilm),
      table.revealed && h("button", { id: "page", onclick: (event) => savePage(event.target) }, TEXTS.savePage),
      h("button", { id: "close", class: "go", onclick: closeDialog }, TEXTS.close),
    ),
  );
}
