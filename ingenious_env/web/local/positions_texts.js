// The words of positions as text, on a page without a server: why one is refused.

export const POSITIONS = {
  lines: (/** @type {string} */ lines) => `a position has these lines: ${lines}`,
  line: (/** @type {string} */ name) => `the line “${name}” of this position cannot be read`,
  impossible: (/** @type {string} */ name) => `the line “${name}” of this position contradicts the others`,
  noRecord: "this game began with a position, not with a deal, so it has no record",
};
