// Drawing of the analysis: a curve of the chances, remarks on marked moves, and a table at the end.

import { byId, h, put, s } from "../../render/static/dom.js";
import { partnersOf } from "../../render/static/partners.js";
import { current, isReader, marked, nextMistake, ownSeat, ownSheet, series } from "./analysis.js";
import { mistakes, retry } from "./retry.js";
import { app, show } from "./store.js";
import { TEXTS } from "./play_texts.js";
import { changeText, lossText, numberText, sizeText } from "./worth.js";

/** @import { Analysis, Turn } from "./types.js" */

const WORDS = TEXTS.review;
const WIDE = 360;
const HIGH = 86;

/** Draw the analysis. */
export function drawAnalysis() {
  const found = current();
  if (!found || !found.turns.length) return put(byId("curve"));
  const judged = found.turns.filter((turn) => turn.mark);
  put(
    byId("curve"),
    h(
      "section",
      {},
      h("header", {}, h("b", {}, WORDS.title), h("span", {}, WORDS.judge(app.table.judge ?? ""))),
      curve(found),
      h("footer", {}, title(found), h("b", {}, nowText(found))),
      remark(found),
      app.table.over && summary(found),
      luckSentence(found),
      judged.length > 0 &&
        h(
          "p",
          { class: "acts" },
          h("button", { id: "mistake", onclick: nextMistake }, WORDS.mistake),
          app.table.over &&
            mistakes(found).length > 0 &&
            h(
              "button",
              { id: "retry", class: "go", onclick: () => retry(found) },
              WORDS.retry(app.table.yours.length > 1),
            ),
        ),
    ),
  );
}

/** @param {Analysis} found */
function title(found) {
  const { table } = app;
  const name = isReader(ownSeat()) ? "" : table.names[ownSeat()];
  if (found.unit === "spaces") return WORDS.spaces(name);
  return found.calibrated ? WORDS.win(name) : WORDS.value(name);
}

/** @param {Analysis} found */
function nowText(found) {
  const at = app.at ?? app.table.total;
  const before = series(found)
    .filter((point) => point.at <= at)
    .pop();
  return before ? sizeText(found.unit, before.values[ownSheet()]) : "";
}

/** @param {Analysis} found */
function curve(found) {
  const total = Math.max(1, app.table.total);
  const left = (/** @type {number} */ at) => 6 + ((WIDE - 12) * at) / total;
  const top = (/** @type {number} */ value) => 4 + (HIGH - 8) * (1 - value / found.highest);
  const own = ownSheet();
  const points = series(found);
  const line = (/** @type {number} */ sheet) =>
    points
      .map(({ at, values }, k) => `${k ? "L" : "M"}${left(at).toFixed(1)} ${top(values[sheet]).toFixed(1)}`)
      .join("");
  const count = app.table.scene.scores.length;
  const others =
    count > 2 && found.results
      ? Array.from({ length: count }, (_, sheet) => sheet).filter((sheet) => sheet !== own)
      : [];
  const mine = line(own);
  const area =
    points.length > 1
      ? `${mine}L${left(points[points.length - 1].at).toFixed(1)} ${HIGH}L${left(points[0].at).toFixed(1)} ${HIGH}Z`
      : "";
  const even = found.unit === "win" && s("path", { class: "even", d: `M0 ${top(1 / count)}H${WIDE}` });
  const at = app.at ?? app.table.total;
  const marks = points
    .map(
      ({ values, turn }) =>
        turn &&
        turn.mark &&
        (turn.sheet === own || app.table.yours.length !== 1) &&
        s(
          "g",
          {
            class: "judged",
            transform: `translate(${left(turn.at).toFixed(1)} ${top(values[turn.sheet]).toFixed(1)})`,
            onclick: (event) => (event.stopPropagation(), show(turn.at + 1)),
          },
          s("circle", { r: 9 }),
          s("text", { y: 4 }, turn.mark),
          s("title", {}, remarkText(found, turn)),
        ),
    )
    .filter(Boolean);
  const seek = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    show(Math.round((((event.clientX - box.left) / box.width) * WIDE - 6) / ((WIDE - 12) / total)));
  };
  return s(
    "svg",
    {
      class: "chances",
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      role: "img",
      "aria-label": `${title(found)}: ${nowText(found)}`,
      onclick: seek,
    },
    s("path", { class: "area", d: area }),
    even,
    others.map((sheet) => s("path", { class: "other-line", d: line(sheet) })),
    s("path", { class: "own-line", d: mine }),
    s("path", { class: "now", d: `M${left(at).toFixed(1)} 0V${HIGH}` }),
    marks,
  );
}

/** The remark on a move; the better one is drawn on the board. @param {Analysis} found @param {Turn} turn */
function remarkText(found, turn) {
  const { game, table } = app;
  const who = isReader(turn.seat) ? WORDS.you : table.names[turn.seat];
  const name = game.laid(turn.best) ? `${game.moveName(turn.best)} (${turn.best})` : game.moveName(turn.best);
  return WORDS.remark(`${who}: ${game.moveName(turn.move)} ${turn.mark || ""} ${lossText(found, turn)}`, name);
}

/** @param {Analysis} found */
function remark(found) {
  const turn = marked(found);
  return turn && h("p", { id: "remark" }, remarkText(found, turn));
}

/** The luck of a player's draws. @param {Analysis} found @param {number} seat */
const luckOf = ({ luck }, seat) => (luck ? luck[app.game.look.sheets[seat]] : 0);

/** What the luck of the draws was for the reader, if there is one. @param {Analysis} found */
function luckSentence(found) {
  const { over, yours } = app.table;
  if (!over || !found.luck || yours.length !== 1) return null;
  const mine = luckOf(found, yours[0]);
  const size = numberText(Math.abs(found.unit === "win" ? 100 * mine : mine), found.unit === "win" ? 0 : 1);
  const isShared = partnersOf(app.game.look.sheets, yours[0]).length > 0;
  const words = isShared ? WORDS.luckyPair : WORDS.lucky;
  if (!/[1-9]/.test(size)) return h("p", { id: "luck" }, words.even);
  const amount = found.unit === "win" ? WORDS.luckOfWin(size) : TEXTS.spaces(size);
  return h("p", { id: "luck" }, mine > 0 ? words.good(amount) : words.bad(amount));
}

/** The estimated level of a player. @param {[number, number, number] | null} found */
function levelText(found) {
  if (!found) return "";
  const [level, low, high] = found;
  return low === high ? String(level) : `${level} (${low}–${high})`;
}

/** The losses of each player, at the end. @param {Analysis} found */
function summary(found) {
  const levels = found.levels?.some(Boolean) && found.levels;
  const marks = found.marks.map(([, mark]) => mark).reverse();
  const rows = app.table.names.map((name, seat) => {
    const turns = found.turns.filter((turn) => turn.seat === seat);
    if (!turns.length) return null;
    const loss = turns.reduce((sum, turn) => sum + turn.loss, 0) / turns.length;
    const count = (/** @type {string} */ mark) => String(turns.filter((turn) => turn.mark === mark).length);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, found.unit === "win" ? `${numberText(100 * loss, 1)} %` : TEXTS.spaces(numberText(loss, 2))),
      levels && h("td", {}, levelText(levels[seat])),
      found.luck && h("td", {}, changeText(found.unit, luckOf(found, seat))),
      marks.map((mark) => h("td", {}, count(mark))),
    );
  });
  return h(
    "table",
    { id: "judged" },
    h(
      "tr",
      {},
      h("td", {}),
      h("th", { scope: "col" }, WORDS.lost),
      levels && h("th", { scope: "col" }, WORDS.level),
      found.luck && h("th", { scope: "col" }, WORDS.luck),
      marks.map((mark) => h("th", { scope: "col" }, mark)),
    ),
    rows,
  );
}
