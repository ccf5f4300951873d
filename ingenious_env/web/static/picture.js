// A picture of the board as a file of its own; loaded on first use.

import { byId, s } from "../../render/static/dom.js";

const NAMES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "stroke-linecap"];
const MORE = ["stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order"];

/** A copy of drawn elements that needs no style sheet. @param {Element} drawn @returns {Element} */
function styled(drawn) {
  const copy = /** @type {Element} */ (drawn.cloneNode(true));
  const copies = [copy, ...copy.querySelectorAll("*")];
  [drawn, ...drawn.querySelectorAll("*")].forEach((each, number) => {
    const style = getComputedStyle(each);
    for (const name of [...NAMES, ...MORE]) copies[number].setAttribute(name, style.getPropertyValue(name));
    if (style.display === "none") copies[number].setAttribute("display", "none");
    copies[number].removeAttribute("class");
  });
  return copy;
}

/** The board as it is drawn, on the ground of the page. */
export function boardPicture() {
  const board = byId("board").querySelector("svg");
  const { x, y, width, height } = board.viewBox.baseVal;
  const picture = styled(board);
  picture.prepend(
    styled(byId("defs")),
    s("rect", { x, y, width, height, fill: getComputedStyle(document.body).backgroundColor }),
  );
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}
