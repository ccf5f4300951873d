// The rules, a page at a time with a picture; loaded on first use.

import { byId, h } from "../../render/static/dom.js";
import { LESSONS, RULES } from "./lesson_texts.js";
import { theme } from "./theme.js";

/** A page of the rules: the name of its words, the picture beside them, the part of it that is shown, as a viewBox, and
 * the tables with this rule. @typedef {{ name: string, picture: string, view: string, tables: string[] }} Page */

const ALONE = ["alone"];
const PARTNERS = ["partners"];
const EACH = ["each"]; // players with a sheet each
const BOARD = "15 60 630 546";
const SHEET = "650 66 344 268";
/** @type {Record<string, Page[]>} */
const PAGES = {
  ingenious: [
    { name: "layAlone", picture: "ingenious-solitaire", view: BOARD, tables: ALONE },
    { name: "lay", picture: "ingenious", view: BOARD, tables: [...PARTNERS, ...EACH] },
    { name: "score", picture: "ingenious", view: "290 250 330 240", tables: [...ALONE, ...PARTNERS, ...EACH] },
    { name: "lowestAlone", picture: "ingenious-solitaire", view: "650 82 344 298", tables: ALONE },
    { name: "lowestPartners", picture: "ingenious-partnership", view: "736 58 346 312", tables: PARTNERS },
    { name: "lowest", picture: "ingenious", view: SHEET, tables: EACH },
    { name: "endAlone", picture: "ingenious-solitaire", view: "650 382 344 204", tables: ALONE },
    { name: "fullPartners", picture: "ingenious-partnership", view: "736 372 346 312", tables: PARTNERS },
    { name: "full", picture: "ingenious-full", view: SHEET, tables: EACH },
  ],
  loopit: [
    { name: "lay", picture: "loopit", view: "270 230 200 240", tables: EACH },
    { name: "score", picture: "loopit", view: "270 230 200 140", tables: EACH },
    { name: "factors", picture: "loopit", view: "14 60 580 580", tables: EACH },
    { name: "end", picture: "loopit-end", view: "236 58 704 402", tables: EACH },
  ],
};

/** The table of some score sheets. @param {number[]} sheets by seat */
const tableOf = (sheets) => (sheets.length === 1 ? ALONE : new Set(sheets).size < sheets.length ? PARTNERS : EACH)[0];

/** Open a page of the rules of a game. @param {(...content: any[]) => void} openDialog @param {string} game
 * @param {string} title its name @param {number[]} sheets of the table, by seat @param {() => void} close
 * @param {number} [number] of the page */
export function openRules(openDialog, game, title, sheets, close, number = 0) {
  const lessons = PAGES[game].filter(({ tables }) => tables.includes(tableOf(sheets)));
  const words = RULES;
  const page = lessons[number];
  const lesson = LESSONS[game][page.name];
  const go = (/** @type {number} */ to) => () => openRules(openDialog, game, title, sheets, close, to);
  const isLast = number === lessons.length - 1;
  openDialog(
    h("h2", {}, `${words.title} ${title}`),
    h("h3", { id: "lesson" }, `${number + 1}. ${lesson.title}`),
    h("p", {}, lesson.text),
    picture(page, lesson.title),
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

/** A part of a picture of the engine. @param {Page} page @param {string} title */
function picture({ picture, view }, title) {
  const [, , width, height] = view.split(" ");
  const source = `${file(`${picture}-${theme()}.svg`)}#svgView(viewBox(${view.replaceAll(" ", ",")}))`;
  const image = h("img", { class: "lesson", src: source, width, height, alt: title });
  image.style.aspectRatio = `${width} / ${height}`; // that of the file is the whole picture's
  return image;
}
