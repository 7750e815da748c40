// Asks an installed Gemini CLI what its context files become with their imports. Writes one JSON list of texts.
//
//   node memory_oracle.mjs PACKAGE FILES.json TEXTS.json
//
// PACKAGE is the folder of the npm package @google/gemini-cli, FILES.json a list of paths. Nothing is run.
import fs from 'node:fs';
import path from 'node:path';

const [packageFolder, list, out] = process.argv.slice(2);
const bundle = path.resolve(packageFolder, 'bundle');
// The bundle's file names change with every build, and it holds several copies of everything; any copy will do.
const file = fs.readdirSync(bundle).filter(name => /^chunk-.*\.js$/.test(name)).sort().find(name => {
  const text = fs.readFileSync(path.join(bundle, name), 'utf8');
  return text.slice(text.lastIndexOf('\nexport {')).includes('readGeminiMdFiles');
});
const { readGeminiMdFiles } = await import(path.join(bundle, file));
for (const level of ['log', 'warn', 'error', 'info', 'debug']) console[level] = () => {};
const read = await readGeminiMdFiles(JSON.parse(fs.readFileSync(list, 'utf8')));
fs.writeFileSync(out, JSON.stringify(read.map(each => each.content)));
process.exit(0);
