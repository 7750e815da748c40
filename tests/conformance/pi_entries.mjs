// Lists entries with pi's own loader: `node pi_entries.mjs <folder of pi-coding-agent>`, questions on stdin.
// pi has no function that lists without loading, so the modules are loaded: they do nothing.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const loader = pathToFileURL(`${process.argv[2]}/dist/core/extensions/loader.js`).href;
const { discoverAndLoadExtensions } = await import(loader);
const answers = [];
for (const { cwd, configured, agent } of JSON.parse(readFileSync(0, "utf8"))) {
  const { extensions, errors } = await discoverAndLoadExtensions(configured, cwd, agent);
  answers.push([...extensions, ...errors].map((each) => each.path));
}
console.log(JSON.stringify(answers));
process.exit(0);
