// The line from the virtual packages to their host. Before `bind` there is none: what needs it says so.

let host = null;
const reported = new Set();

/** `{ call(name, args), state, report(message), theme }`, given once by whoever runs us. */
export function bind(given) {
  host = given;
}

/** What the host last said about the session: cwd, model, models, session ... Empty without a host. */
export const state = () => host?.state ?? {};

export const hostTheme = () => host?.theme;

export async function callHost(name, args) {
  if (!host?.call) throw new Error(`\`${name}\` needs a host, and none is bound`);
  return host.call(name, args);
}

/** Say it once to whoever runs us. */
export function reportOnce(message) {
  if (reported.has(message)) return;
  reported.add(message);
  host?.report?.(message);
}
