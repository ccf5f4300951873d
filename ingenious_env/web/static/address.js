// Games as texts, and in addresses.

import { get } from "./api.js";

/** The record or position in the address of a page, as `linkTo` and the command line write it; "" if there is none. @param {string} hash */
export function textIn(hash) {
  if (!hash.startsWith("text=")) return "";
  try {
    const bytes = Uint8Array.from(atob(hash.slice(5).replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

/** The address of a page that opens a record. @param {string} record */
export function linkTo(record) {
  const text = btoa(String.fromCharCode(...new TextEncoder().encode(record)));
  return `${location.origin}${location.pathname}#text=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The text of a position of a game that is over: with its history, if it has a record.
 * @param {{ id: string, keys: string, at: number }} position after a number of moves */
export const textAt = ({ id, ...query }) =>
  get(`tables/${id}/record`, query).catch(() => get(`tables/${id}/position`, query));
