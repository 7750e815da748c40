// What the host last told us about the session. Getters of pi and omp are synchronous, so they read from here.
// The host sends what has changed before each call; entries come as "keep so many, then add these".

export const state = {
  bound: false,
  cwd: "",
  hasUI: false,
  idle: true,
  pending: false,
  trusted: true,
  completes: false,
  model: null,
  models: [],
  systemPrompt: "",
  activeTools: [],
  allTools: [],
  commands: [],
  thinkingLevel: "off",
  usage: null,
  flags: {},
  session: { id: "", file: "", name: "" },
  editorText: "",
  width: 80,
  height: 24,
};

let entries = [];
let branch = null; // positions in `entries`; null where the branch is all of them
let appended = []; // what extensions appended and the host has not confirmed yet
let confirmed = 0;

export function apply(change) {
  if (!change) return;
  const { entries: changed, branch: positions, appended: seen, ...plain } = change;
  Object.assign(state, plain);
  if (changed) entries = changed.add.length ? [...entries.slice(0, changed.keep), ...changed.add] : entries.slice(0, changed.keep);
  if (positions !== undefined) branch = positions;
  if (seen !== undefined && seen > confirmed) {
    appended.splice(0, seen - confirmed);
    confirmed = seen;
  }
}

/** An entry that an extension appends is there at once, as pi has it, before the host has told its place. */
export function append(entry) {
  appended.push({ ...entry, id: `pending-${confirmed + appended.length + 1}`, parentId: leafId(), timestamp: new Date().toISOString() });
}

export function allEntries() {
  return appended.length ? [...entries, ...appended] : entries.slice();
}

export function currentBranch() {
  const walked = branch === null ? entries.slice() : branch.map((position) => entries[position]);
  return appended.length ? [...walked, ...appended] : walked;
}

export function leafId() {
  if (appended.length) return appended.at(-1).id;
  const last = branch === null ? entries.at(-1) : entries[branch.at(-1)];
  return last?.id ?? null;
}
