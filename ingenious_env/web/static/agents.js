// What agents are, for those who choose one; loaded on first use.

import { h } from "../../render/static/dom.js";
import { AGENTS } from "./agents_texts.js";

/** @import { Offered } from "./types.js" */

/** the kinds whose parameters change what they play for */
const VARIED = ["greedy"];

/** A sentence on an agent; "" if there is none. @param {string} name with its parameters */
export function noteOf(name) {
  if (AGENTS[name]) return AGENTS[name];
  const [kind] = name.split(":");
  return VARIED.includes(kind) ? "" : AGENTS[kind] || "";
}

/** A paragraph on each agent. @param {string[]} names @param {Offered["levels"]} levels those that are described there */
export const notesOn = (names, levels) =>
  names.map((name) => {
    const level = levels.find(({ agent }) => agent === name);
    const text = level ? level.text : noteOf(name);
    return text && h("p", { class: "muted note" }, h("b", {}, `${level ? level.name : name}: `), text);
  });
