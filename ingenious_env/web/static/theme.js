// Light or dark; loaded on first use.

/** The theme that is shown: the one chosen, or that of the browser. @returns {string} */
export const theme = () =>
  document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
