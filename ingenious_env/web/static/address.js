// Games in addresses.

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
