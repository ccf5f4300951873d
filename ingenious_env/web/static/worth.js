// Texts and meters of hints.

import { TEXTS } from "./play_texts.js";

/** @import { Advice } from "./types.js" */

const WORDS = TEXTS.hints;
const FINEST = 4; // decimals

/** A number as the language of the page writes it, rounded. @param {number} number @param {number} places */
export const numberText = (number, places) => TEXTS.number(number.toFixed(places));

/** A size in a unit, without the name of spaces. @param {Advice["unit"]} unit @param {number} size */
export const sizeText = (unit, size) => (unit === "win" ? `${numberText(100 * size, 0)} %` : numberText(size, 1));

/** A change, with its sign; none that is shown as zero has one. @param {Advice["unit"]} unit @param {number} change */
export function changeText(unit, change) {
  const size = sizeText(unit, Math.abs(change));
  return /[1-9]/.test(size) ? `${change < 0 ? "−" : "+"}${size}` : size;
}

/** What a move loses, by a judge. @param {Pick<Advice, "unit">} judge @param {{ loss: number }} move */
export const lossText = ({ unit }, { loss }) => changeText(unit, -loss);

/** An amount of losses or luck. @param {Advice["unit"]} unit @param {number} amount */
export const amountText = (unit, amount) =>
  unit === "win" ? sizeText(unit, amount) : TEXTS.spaces(sizeText(unit, amount));

/** The unit of the values of hints. @param {Advice} advice */
export function unitText({ unit, calibrated }) {
  if (calibrated && unit === "spaces") return WORDS.lowest;
  return WORDS.units[unit] + (!calibrated && ["win", "spaces", "utility"].includes(unit) ? WORDS.relative : "");
}

/** The fewest decimals that distinguish numbers, if they differ. @param {number[]} numbers
 * @param {number} least */
function decimals(numbers, least) {
  const spread = Math.max(...numbers) - Math.min(...numbers);
  const exact = (/** @type {number} */ places) =>
    numbers.every((number) => Math.abs(number - Number(number.toFixed(places))) < 1e-9);
  for (let places = least; places <= FINEST; places++) if (exact(places) || spread >= 2 * 10 ** -places) return places;
  return least;
}

/** The text next to each hint, and the length of its meter in per cent: both show the displayed number. Values without a
 * scale of their own are shown as distances from the best.
 * @param {Pick<Advice, "unit" | "calibrated"> & { list: { value: number }[] }} advice
 * @returns {{ text: string, meter: number }[]} */
export function worths({ unit, calibrated, list }) {
  if (unit === "choice") return list.map(() => ({ text: "", meter: 100 }));
  const isShare = unit === "win" || unit === "preference";
  const isGap = !calibrated && unit !== "points" && unit !== "preference";
  const values = list.map(({ value }) => (isShare ? 100 : 1) * (isGap ? value - list[0].value : value));
  const places = decimals(values, isGap || unit === "spaces" ? 1 : 0);
  const shown = values.map((value) => Number(value.toFixed(places)));
  const [high, low] = [Math.max(...shown), Math.min(...shown)];
  const text = (/** @type {number} */ number, /** @type {number} */ k) => {
    if (isGap)
      return k === 0
        ? WORDS.best
        : number === shown[0]
          ? WORDS.equal
          : `${number < 0 ? "−" : "+"}${numberText(Math.abs(number), places)}`;
    if (k > 0 && high === low) return WORDS.equal;
    const small = number === 0 && values[k] > 0 ? `<${numberText(10 ** -places, places)}` : numberText(number, places);
    return `${unit === "points" ? "+" : ""}${small}${isShare ? " %" : ""}`;
  };
  return shown.map((number, k) => ({
    text: text(number, k),
    meter: high === low ? 100 : 8 + (92 * (number - low)) / (high - low),
  }));
}
