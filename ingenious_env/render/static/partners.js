// Who plays with whom: players whose tiles score on one sheet are partners.

import { DRAWING } from "./drawing_texts.js";

/** The seats of the partners of a seat. @param {number[]} sheets by seat @param {number} seat */
export const partnersOf = (sheets, seat) =>
  sheets.flatMap((sheet, other) => (sheet === sheets[seat] && other !== seat ? [other] : []));

/** A note on the partners of a seat; "" if it has none. @param {number[]} sheets by seat @param {number} seat
 * @param {number | null} reader the reader's seat, if there is one @param {string[]} names by seat */
export function partnerNote(sheets, seat, reader, names) {
  const partners = partnersOf(sheets, seat);
  if (reader !== null && partners.includes(reader)) return DRAWING.partner;
  return partners.length ? DRAWING.beside(DRAWING.all(partners.map((each) => names[each]))) : "";
}
