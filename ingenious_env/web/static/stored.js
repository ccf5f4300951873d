// Browser storage of the page; where it is unavailable, values last until the page is left.

/** @type {Record<string, Record<string, any>>} */
const kept = {};

/** The object stored under a name; empty if there is none or it is invalid. @param {string} name
 * @returns {Record<string, any>} */
export function stored(name) {
  if (kept[name]) return kept[name];
  try {
    const found = JSON.parse(localStorage.getItem(name) || "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {Record<string, any>} content */
export function store(name, content) {
  try {
    localStorage.setItem(name, JSON.stringify(content));
    delete kept[name];
  } catch {
    kept[name] = content; // denied, or full
  }
}
