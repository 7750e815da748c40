// Lists extensions with omp's own loader, end to end: `bun omp_loader.mjs <folder of @oh-my-pi/pi-coding-agent>`.
// What it finds in the user's home of other programs it reads only when asked, so it is asked for Gemini CLI's.
const { enableUserSource, loadCapability } = await import(`${process.argv[2]}/src/discovery/index.ts`);
enableUserSource("gemini");
const found = await loadCapability("extensions", { cwd: process.cwd() });
for (const { name, manifest, level, path } of found.items) {
  console.log(name, manifest.version, level, path);
}
