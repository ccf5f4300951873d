// A request to take a move back; loaded with the first one.

import { byId, h } from "../../render/static/dom.js";
import { TEXTS } from "./asked_texts.js";
import { closeDialog, isOpen, openDialog } from "./dialogs.js";
import { app, on, showProblem, takeBack } from "./store.js";

/** the seat whose question the open dialog is @type {number | undefined} */
let asked;

on("table", () => {
  if (asked === undefined || app.table.asking !== undefined) return;
  asked = undefined;
  if (isOpen() && byId("allow")) closeDialog();
});

/** Ask this page's person, or say that others are asked. */
export function drawAsked() {
  const { names, yours, asking } = app.table;
  if (asking === undefined || (asked === asking && isOpen())) return;
  if (yours.includes(asking)) return showProblem(TEXTS.waits);
  asked = asking;
  const answer = (/** @type {boolean} */ allow) => (closeDialog(), takeBack(allow));
  openDialog(
    h("h2", {}, TEXTS.title(names[asking])),
    h("p", {}, TEXTS.text),
    h(
      "p",
      { class: "acts" },
      h("button", { id: "refuse", onclick: () => answer(false) }, TEXTS.refuse),
      h("button", { id: "allow", class: "go", onclick: () => answer(true) }, TEXTS.allow),
    ),
  );
}
