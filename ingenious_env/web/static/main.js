// The page: what is drawn when the store changes, and where its address leads.

import { byId, parsed } from "../../render/static/dom.js";
import { textIn } from "./address.js";
import { analyse } from "./analysis.js";
import { post, reasonOf } from "./api.js";
import { drawAside } from "./aside.js";
import { closeDialog, openWarning } from "./dialogs.js";
import { announce, bar, celebrate, draw, drawHand, drawHead, drawOverlay, drawReplay, drawSay } from "./drawing.js";
import { onKey } from "./keys.js";
import { openNewGame } from "./new_game.js";
import { click, settings } from "./settings.js";
import { app, create, on, open } from "./store.js";

on("look", (look) => byId("defs").replaceChildren(...parsed(look.defs)));
on("moved", (table) => {
  announce(table);
  click();
  const banner = app.game.banner?.(table);
  if (banner) celebrate(banner);
});
on("table", draw);
on("hand", drawHand);
on("said", drawSay);
on("speed", () => app.table && drawReplay());
on("hints", drawHead);
on("advice", () => {
  analyse();
  drawOverlay();
  drawAside();
});
on("mistake", openWarning);
on("unmade", (problem) => openNewGame({ problem }));

/** Open what an address holds: at once a game that is over, and otherwise once it is known who plays. @param {string} text */
async function openText(text) {
  const found = await post("read", { text }).catch(() => null);
  if (found && found.over) await create({ text, seats: Array(found.players).fill("human") });
  else openNewGame({ text });
}

/** Go to what the address names. */
async function go() {
  closeDialog(); // of the address before
  const id = location.hash.slice(1);
  const text = textIn(id);
  if (text) return openText(text);
  if (/^[0-9a-f]{32}$/.test(id)) await open(id).catch((error) => (location.hash === `#${id}` ? openNewGame({ problem: reasonOf(error) }) : undefined));
  else await openNewGame();
}

async function begin() {
  bar.node.hidden = true;
  byId("replay").replaceWith(bar.node);
  if (settings.theme) document.documentElement.dataset.theme = settings.theme;
  drawHead();
  addEventListener("hashchange", go);
  addEventListener("keydown", onKey);
  await go();
}

begin();
