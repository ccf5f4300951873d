import importX from "eslint-plugin-import-x";
import words from "./words.js";

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { import: importX },
    rules: {
      "import/no-cycle": "error",
      "import/no-unresolved": "error",
      "import/named": "error",
      "import/no-duplicates": "error",
      "max-lines": ["error", 300],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "prefer-const": "error",
      eqeqeq: "error",
    },
  },
  {
    files: ["ingenious_env/**/*.js"],
    ignores: ["**/*texts.js"],
    plugins: { own: { rules: { words } } },
    rules: { "own/words": "error" },
  },
];
