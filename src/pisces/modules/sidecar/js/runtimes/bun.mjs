// bun runs TypeScript as it is, with tsconfig paths, `.js` for `.ts`, JSON and all; packages are modules of a plugin.
// A module in CommonJS requires them, at once: what an earlier start found required is there from the start.

export async function install(packages) {
  for (const specifier of packages.wanted) await packages.load(specifier);
  const found = (exports) => ({ loader: "object", exports });
  Bun.plugin({
    name: "pisces",
    setup(build) {
      for (const specifier of packages.specifiers) {
        build.module(specifier, () => (packages.isOpen(specifier) ? found(packages.ready(specifier)) : packages.load(specifier).then(found)));
      }
    },
  });
  return (path) => import(path);
}
