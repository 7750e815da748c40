// Lists what a manifest means with pi's own package manager: `node pi_manifest_entries.mjs <folder of pi-coding-agent>`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { DefaultPackageManager } = await import(pathToFileURL(`${process.argv[2]}/dist/core/package-manager.js`).href);
const manager = Object.create(DefaultPackageManager.prototype); // none of this needs its settings
const answers = [];
for (const { entries, root } of JSON.parse(readFileSync(0, "utf8"))) {
  const found = new Map();
  manager.addManifestEntries(entries, root, "extensions", found, {});
  answers.push([...found.keys()]);
}
process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit(0));
