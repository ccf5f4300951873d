// What this browser keeps for the page; where it keeps nothing, the page does so until it is left.

/** @type {Record<string, Record<string, any>>} */
const kept = {};

/** The object that is kept under a name; empty if there is none, or something else. @param {string} name
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
