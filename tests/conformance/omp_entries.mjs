// Lists entries with omp's own loader: `bun omp_entries.mjs <folder of @oh-my-pi/pi-coding-agent>`, questions on stdin.
const package_ = process.argv[2];
const { discoverExtensionPaths } = await import(`${package_}/src/extensibility/extensions/loader.ts`);
await import(`${package_}/src/discovery/index.ts`);
const answers = [];
for (const { cwd, configured } of JSON.parse(await Bun.stdin.text())) {
  answers.push(await discoverExtensionPaths(configured, cwd, []));
}
console.log(JSON.stringify(answers));
process.exit(0);
