// The bag of each day: a seed that is the same for all.

/** Today's date in Greenwich, which is the same for all who play its bag. */
export const today = () => new Date().toISOString().slice(0, 10);

/** The seed of the bag of a day. @param {string} day a date */
export const seedOf = (day) => Number(day.replaceAll("-", ""));

/** The day whose bag a game has; null if it has another one. @param {string} [deal] the beginning of its record */
export function dayOf(deal = "") {
  const [, ...parts] = deal.match(/^seed (\d{4})(\d\d)(\d\d) 0$/m) || [];
  const day = parts.join("-");
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : null;
}
