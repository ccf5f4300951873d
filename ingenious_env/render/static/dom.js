// Elements, made by name; text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** @import { Attributes } from "./types.js" */

/** @param {Element} node @param {Attributes} attributes @param {any[]} children */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "width%") /** @type {any} */ (node).style.width = `${value}%`;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element. @param {string} name @param {Attributes} [attributes] @param {...any} children
 * @returns {any} */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes || {}, children);
}

/** An SVG element. @param {string} name @param {Attributes} [attributes] @param {...any} children
 * @returns {any} */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes || {}, children);
}

/** SVG elements from the server's definitions. @param {string} text */
export function parsed(text) {
  const made = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
  return [...made.documentElement.children].map((each) => document.importNode(each, true));
}

/** Put new children into an element; the focused element keeps the focus, by its id, and a text its caret.
 * @param {Element} node @param {...any} children */
export function put(node, ...children) {
  const before = /** @type {any} */ (node.contains(document.activeElement) ? document.activeElement : null);
  const caret = before && [before.selectionStart, before.selectionEnd];
  node.replaceChildren(...children.flat(Infinity).filter(Boolean));
  const after = before && before.id && byId(before.id);
  if (!after) return;
  after.focus({ preventScroll: true });
  if (typeof caret[0] === "number") after.setSelectionRange(...caret);
}

/** The number of a hint, from 0, as shown in the list. @param {number} number */
export const badge = (number) =>
  s("g", { class: "badge" }, s("circle", { r: 11 }), s("text", { y: 4.6 }, String(number + 1)));

/** The label of a picture; "" for a decorative one. @param {string} name */
export const named = (name) => (name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" });

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** A path round two neighbouring hexagons. @param {number[]} a @param {number[]} b @param {number} radius */
export function capsule(a, b, radius) {
  const ahead = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  const corners = [];
  for (let k = 0; k < 6; k++) corners.push(corner(a[0], a[1], radius, ahead + 60 * k + 30));
  for (let k = 0; k < 6; k++) corners.push(corner(b[0], b[1], radius, ahead + 60 * k + 210));
  return `M${corners.join("L")}Z`;
}

/** @param {number} x @param {number} y @param {number} radius @param {number} degrees */
function corner(x, y, radius, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
}
