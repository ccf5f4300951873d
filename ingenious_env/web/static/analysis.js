// Analysis: how the chances went, as a curve, and the moves that lost some.

import { Refused, post } from "./api.js";
import { byId, h, put, s } from "../../render/static/dom.js";
import { drawOverlay } from "./drawing.js";
import { app, show } from "./main.js";

const WIDE = 360;
const HIGH = 86;
/** what the server knows of each table @type {{ id: string, version: number, over: boolean, found: any } | null} */
let known = null;
/** the table that is asked about now, and in what state */
let asked = "";

/** Whether this page shows an analysis: with hints, and of games that are over. */
const isWanted = () => Boolean(app.table && app.table.total > 0 && app.table.judge && (app.hints || app.table.over || !app.table.yours.length));

/** What is known of the table that is shown. @returns {any} */
const current = () => (known && app.table && known.id === app.table.id && isWanted() ? known.found : null);

/** Draw it, and ask for what is new. */
export function drawAnalysis() {
  draw();
  if (!isWanted()) return;
  const { id, version, over } = app.table;
  if (known && known.id === id && known.version === version && known.over === over) return;
  const state = `${id} ${version} ${over}`;
  if (asked === state) return;
  asked = state;
  post(`tables/${id}/analysis`, { keys: app.keys }).then(
    (found) => {
      if (asked !== state) return; // another state has been asked about since
      known = { id, version, over, found };
      asked = "";
      draw();
      drawOverlay();
    },
    (error) => {
      if (asked === state && !(error instanceof Refused)) asked = ""; // to be tried again
    },
  );
}

function draw() {
  const found = current();
  if (!found || !found.turns.length) return put(byId("curve"));
  const judged = found.turns.filter((turn) => turn.mark);
  put(byId("curve"), h("section", {},
    h("header", {}, h("b", {}, "Analysis"), h("span", {}, `by ${app.table.judge}`)),
    curve(found),
    h("footer", {}, title(found), h("b", {}, nowText(found))),
    remark(found),
    app.table.over && summary(found),
    judged.length > 0 && h("p", { class: "acts" }, h("button", { id: "mistake", onclick: nextMistake }, "Next mistake"))));
}

const share = (found, value) => (found.unit === "win" ? `${(100 * value).toFixed(0)} %` : value.toFixed(1));

/** The sheet whose chances are told. */
const ownSheet = () => (app.table.seat === null ? 0 : app.game.look.sheets ? app.game.look.sheets[app.table.seat] : app.table.seat);

function title(found) {
  const { table } = app;
  const whose = table.seat === null ? `${table.names[0]}: ` : "your ";
  if (found.unit === "spaces") return `${whose}expected lowest counter`;
  return found.calibrated ? `${whose}chance of winning` : `${whose}value, not calibrated`;
}

/** The value of the position that waits for this page, if the judge has just given hints on it. */
function valueNow(found) {
  const hints = app.hints && app.hints.agent === app.table.judge && app.hints.found;
  return hints && hints.version === app.table.version && hints.calibrated === found.calibrated ? hints.list[0].value : null;
}

/** The values of all sheets before each number of moves: each by its own latest move, of two sheets the other has the
 * rest, and those of more are scaled to sum to 1 where all are known. @returns {{ at: number, values: number[], turn: any }[]} */
function series(found) {
  const count = app.table.scene.scores.length;
  const all = new Set(found.turns.map((turn) => turn.sheet)).size === count;
  const latest = Array(count).fill(1 / count);
  const points = found.turns.map((turn) => {
    latest[turn.sheet] = turn.value;
    if (found.unit === "win" && count === 2) latest[1 - turn.sheet] = 1 - turn.value;
    const sum = found.unit === "win" && count > 2 && all ? latest.reduce((one, other) => one + other, 0) : 1;
    return { at: turn.at, values: latest.map((value) => value / sum), turn };
  });
  const now = valueNow(found);
  if (found.results) points.push({ at: app.table.total, values: found.results, turn: {} });
  else if (now !== null) points.push({ at: app.table.total, values: latest.map((value, sheet) => (sheet === ownSheet() ? now : value)), turn: {} });
  return points;
}

function nowText(found) {
  const at = app.at ?? app.table.total;
  const before = series(found).filter((point) => point.at <= at).pop();
  return before ? share(found, before.values[ownSheet()]) : "";
}

function curve(found) {
  const total = Math.max(1, app.table.total);
  const left = (at) => 6 + ((WIDE - 12) * at) / total;
  const top = (value) => 4 + (HIGH - 8) * (1 - value / found.highest);
  const own = ownSheet();
  const points = series(found);
  const line = (sheet) => points.map(({ at, values }, k) => `${k ? "L" : "M"}${left(at).toFixed(1)} ${top(values[sheet]).toFixed(1)}`).join("");
  const count = app.table.scene.scores.length;
  const others = count > 2 && found.results ? Array.from({ length: count }, (_, sheet) => sheet).filter((sheet) => sheet !== own) : [];
  const mine = line(own);
  const area = points.length > 1 ? `${mine}L${left(points[points.length - 1].at).toFixed(1)} ${HIGH}L${left(points[0].at).toFixed(1)} ${HIGH}Z` : "";
  const even = found.unit === "win" && s("path", { class: "even", d: `M0 ${top(1 / count)}H${WIDE}` });
  const at = app.at ?? app.table.total;
  const marks = points.filter(({ turn }) => turn.mark && (turn.sheet === own || app.table.seat === null)).map(({ values, turn }) =>
    s("g", { class: "judged", transform: `translate(${left(turn.at).toFixed(1)} ${top(values[turn.sheet]).toFixed(1)})`, onclick: (event) => (event.stopPropagation(), show(turn.at + 1)) },
      s("circle", { r: 9 }), s("text", { y: 4 }, turn.mark), s("title", {}, remarkText(found, turn))));
  const seek = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    show(Math.round((((event.clientX - box.left) / box.width) * WIDE - 6) / ((WIDE - 12) / total)));
  };
  return s("svg", { class: "chances", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${title(found)}: ${nowText(found)}`, onclick: seek },
    s("path", { class: "area", d: area }), even, others.map((sheet) => s("path", { class: "other-line", d: line(sheet) })), s("path", { class: "own-line", d: mine }),
    s("path", { class: "now", d: `M${left(at).toFixed(1)} 0V${HIGH}` }), marks);
}

/** What is said of a move; the better one is drawn on the board. */
function remarkText(found, turn) {
  const { game, table } = app;
  const who = turn.seat === table.seat ? "You" : table.names[turn.seat];
  const lost = found.unit === "win" ? `${(100 * turn.loss).toFixed(0)} %` : turn.loss.toFixed(1);
  const name = game.laid(turn.best) ? `${game.moveName(turn.best)} (${turn.best})` : turn.best;
  return `${who}: ${game.moveName(turn.move)} ${turn.mark || ""} −${lost}; ${name} was better`;
}

/** The judgement of the move that led to the position that is shown, if it is marked. */
function marked(found) {
  const at = app.at ?? app.table.total;
  return found && found.turns.filter((each) => each.at === at - 1 && each.mark).pop();
}

function remark(found) {
  const turn = marked(found);
  return turn && h("p", { id: "remark" }, remarkText(found, turn));
}

/** The move that would have been better than the one that led to the position that is shown. @returns {string | null} */
export const betterMove = () => marked(current())?.best ?? null;

/** How well each played, at the end. */
function summary(found) {
  const rows = app.table.names.map((name, seat) => {
    const turns = found.turns.filter((turn) => turn.seat === seat);
    if (!turns.length) return null;
    const loss = turns.reduce((sum, turn) => sum + turn.loss, 0) / turns.length;
    const count = (mark) => String(turns.filter((turn) => turn.mark === mark).length);
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, found.unit === "win" ? `${(100 * loss).toFixed(1)} %` : loss.toFixed(2)),
      found.unit === "win" && found.calibrated && ["?!", "?", "??"].map((mark) => h("td", {}, count(mark))));
  });
  return h("table", { id: "judged" }, h("tr", {}, h("td", {}), h("th", { scope: "col" }, "lost per move"),
    found.unit === "win" && found.calibrated && ["?!", "?", "??"].map((mark) => h("th", { scope: "col" }, mark))), rows);
}

/** Go to the position after the next marked move; after the last, to the first. */
export function nextMistake() {
  const found = current();
  const moves = found ? found.turns.filter((turn) => turn.mark).map((turn) => turn.at + 1) : [];
  if (!moves.length) return;
  const at = app.at ?? -1;
  show(moves.find((move) => move > at) ?? moves[0]);
}
