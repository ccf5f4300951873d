// The page: its views of the store, and its routing by address.

import { byId, parsed } from "../../render/static/dom.js";
import { reasonOf } from "./api.js";
import { closeDialog } from "./dialogs.js";
import { bar, draw, drawHand, drawHead, drawOverlay, drawReplay, drawSay } from "./drawing.js";
import { onKey } from "./keys.js";
import { analyse, drawAside, moved, openSharing, openWarning } from "./later.js";
import { openNewGame } from "./new_game.js";
import { settings } from "./settings.js";
import { app, enqueue, on, open } from "./store.js";
import { TEXTS } from "./texts.js";

on("look", (look) => byId("defs").replaceChildren(...parsed(look.defs)));
on("moved", moved);
on("table", draw);
on("hand", drawHand);
on("message", drawSay);
on("speed", () => app.table && drawReplay());
on("hints", drawHead);
on("advice", () => {
  analyse();
  drawOverlay();
  drawAside();
});
on("mistake", openWarning);
on("entered", (move) => void enqueue(async () => (await import("./real.js")).enter(move)));
on("notCreated", (problem) => openNewGame({ problem }));

/** Open the target of the address. */
async function go() {
  closeDialog(); // of the previous address
  const hash = location.hash.slice(1);
  if (hash.startsWith("text=")) return openSharing("openText", hash);
  const [, id, key] = hash.match(/^([0-9a-f]{32})(?:\.([0-9a-f]{32}))?$/) || [];
  if (!id) return openNewGame({ problem: hash && TEXTS.badLink });
  if (key) {
    (await import("./seats.js")).sit(id, key);
    if (location.hash !== `#${hash}`) return;
    history.replaceState(null, "", `#${id}`);
  }
  await open(id).catch((error) => (location.hash === `#${id}` ? openNewGame({ problem: reasonOf(error) }) : undefined));
}

async function begin() {
  bar.node.hidden = true;
  byId("replay").replaceWith(bar.node);
  if (settings.theme) document.documentElement.dataset.theme = settings.theme;
  drawHead();
  addEventListener("hashchange", go);
  addEventListener("keydown", onKey);
  /** A button that is drawn anew while it is pressed is clicked here: the browser would not. @type {any} */
  let pressed;
  addEventListener("pointerdown", (/** @type {any} */ { target }) => (pressed = target.closest("button[id]")));
  addEventListener("pointerup", (/** @type {any} */ { target }) => {
    if (pressed && !pressed.isConnected && byId(pressed.id)?.contains(target)) byId(pressed.id).click();
  });
  if (settings.coordinates) import("./coordinates.js");
  await go();
}

begin();
