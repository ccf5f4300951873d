// Parts of lists, and sentences that are filled in.

/** Parts of equal length of an array. @param {ArrayLike<number>} values @param {number} length */
export const parts = (values, length) =>
  Array.from({ length: values.length / length }, (_, part) =>
    Array.from({ length }, (_, k) => values[part * length + k]),
  );

/** A sentence with its values filled in. @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
