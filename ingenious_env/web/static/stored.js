// Browser storage of the page; where it is unavailable, values last until the page is left.

/** changes that could not be written, by name and key; undefined of what was removed
 * @type {Record<string, Record<string, any>>} */
const unsaved = {};

/** @param {string} name @returns {Record<string, any>} */
function saved(name) {
  try {
    const found = JSON.parse(localStorage.getItem(name) || "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** The object stored under a name; empty if there is none or it is invalid. @param {string} name
 * @returns {Record<string, any>} */
export const stored = (name) =>
  Object.fromEntries(Object.entries({ ...saved(name), ...unsaved[name] }).filter(([, value]) => value !== undefined));

/** @param {string} name @param {Record<string, any>} content */
export function store(name, content) {
  try {
    localStorage.setItem(name, JSON.stringify(content));
    delete unsaved[name];
  } catch {
    // Denied, or full: only what differs, as another tab may store changes of its own meanwhile.
    const before = saved(name);
    const entries = Object.keys({ ...before, ...content }).map((key) => [key, content[key]]);
    unsaved[name] = Object.fromEntries(
      entries.filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value)),
    );
  }
}
