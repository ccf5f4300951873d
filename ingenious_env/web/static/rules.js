// The rules, a page at a time with a picture; loaded on first use.

import { byId, h } from "../../render/static/dom.js";
import { LESSONS, RULES } from "./lesson_texts.js";

/** @import { Lesson } from "./lesson_texts.js" */

/** Open a page of the rules of a game. @param {(...content: any[]) => void} openDialog @param {string} game
 * @param {string} title its name @param {() => void} close @param {number} [number] of the page */
export function openRules(openDialog, game, title, close, number = 0) {
  const lessons = LESSONS[game];
  const words = RULES;
  const lesson = lessons[number];
  const go = (/** @type {number} */ to) => () => openRules(openDialog, game, title, close, to);
  const isLast = number === lessons.length - 1;
  openDialog(
    h("h2", {}, `${words.title} ${title}`),
    h("h3", { id: "lesson" }, `${number + 1}. ${lesson.title}`),
    h("p", {}, lesson.text),
    picture(game, lesson),
    h(
      "p",
      { class: "acts" },
      h("a", { class: "button", href: file(`${game}.txt`), target: "_blank", rel: "noopener" }, words.whole),
      number > 0 && h("button", { id: "lesson-before", onclick: go(number - 1) }, words.before),
      !isLast && h("button", { id: "lesson-close", onclick: close }, words.close),
      h(
        "button",
        { id: "lesson-next", class: "go", onclick: isLast ? close : go(number + 1) },
        isLast ? words.close : words.next,
      ),
    ),
  );
  byId("lesson-next").focus();
}

/** @param {string} name */
const file = (name) => new URL(name, import.meta.url).href;

/** A part of a picture of the engine. @param {string} game @param {Lesson} lesson */
function picture(game, { view, title }) {
  if (!view) return null;
  const light = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const theme = document.documentElement.dataset.theme || light;
  const [, , width, height] = view.split(" ");
  const source = `${file(`${game}-${theme}.svg`)}#svgView(viewBox(${view.replaceAll(" ", ",")}))`;
  return h("img", { class: "lesson", src: source, width, height, alt: title });
}
