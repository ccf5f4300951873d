// Coordinates on the empty cells of a board; loaded if they are wanted.

import { byId, s } from "../../render/static/dom.js";
import { settings } from "./settings.js";
import { on } from "./store.js";

/** Write the coordinates, with which the title of each cell begins, into its middle. */
export function drawCoordinates() {
  byId("board")
    .querySelectorAll(".coordinate")
    .forEach((/** @type {Element} */ each) => each.remove());
  if (!settings.coordinates) return;
  for (const cell of byId("board").querySelectorAll(".cell.blank")) {
    const { x, y, width, height } = cell.getBBox();
    const text = cell.querySelector("title").textContent.split(" ")[0];
    const place = { x: x + width / 2, y: y + height / 2, transform: cell.getAttribute("transform") };
    const look = {
      "text-anchor": "middle",
      "dominant-baseline": "central",
      "font-size": width / 5,
      fill: "currentColor",
    };
    cell.after(
      s(
        "text",
        { class: "coordinate muted", "pointer-events": "none", "aria-hidden": "true", ...place, ...look },
        text,
      ),
    );
  }
}

on("table", drawCoordinates);
