// The session as extensions read it, from the mirrored state. It cannot be written to from here.
import { allEntries, currentBranch, leafId, state } from "./state.mjs";
import { contextOf } from "./virtual/agent/conversation.mjs";

const dirname = (file) => file.replace(/[\\/][^\\/]*$/, "");

const readers = {
  getCwd: () => state.cwd,
  getSessionDir: () => (state.session.file ? dirname(state.session.file) : ""),
  getSessionId: () => state.session.id,
  getSessionFile: () => state.session.file || undefined,
  getSessionName: () => state.session.name || undefined,
  isPersisted: () => Boolean(state.session.file),
  getEntries: () => allEntries().filter((entry) => entry.type !== "session"),
  getHeader: () => allEntries().find((entry) => entry.type === "session") ?? { type: "session", id: state.session.id, cwd: state.cwd, timestamp: "" },
  getEntry: (id) => allEntries().find((entry) => entry.id === id),
  getLeafId: leafId,
  getLeafEntry: () => readers.getEntry(leafId()),
  getChildren: (id) => allEntries().filter((entry) => entry.parentId === id),
  getLabel: (id) => allEntries().findLast((entry) => entry.type === "label" && entry.targetId === id)?.label,
  getBranch: (from) => (from === undefined ? currentBranch() : pathTo(from)),
  buildContextEntries: () => contextOf(currentBranch().filter((entry) => entry.type !== "session")),
  getTree: () => tree(),
  buildSessionContext: () => ({
    messages: currentBranch().filter((entry) => entry.type === "message").map((entry) => entry.message),
    thinkingLevel: state.thinkingLevel,
    model: state.model ? { provider: state.model.provider, modelId: state.model.id } : null,
  }),
};

function pathTo(id) {
  const byId = new Map(allEntries().map((entry) => [entry.id, entry]));
  const path = [];
  for (let entry = byId.get(id); entry && path.length <= byId.size; entry = byId.get(entry.parentId)) path.unshift(entry);
  return path;
}

function tree() {
  const nodes = new Map(readers.getEntries().map((entry) => [entry.id, { entry, children: [], label: readers.getLabel(entry.id) }]));
  const roots = [];
  for (const node of nodes.values()) (nodes.get(node.entry.parentId)?.children ?? roots).push(node);
  return roots;
}

/** What is not a reader says so when it is called. */
export const sessionManager = new Proxy(readers, {
  get(target, name) {
    if (name in target || typeof name === "symbol" || name === "then") return target[name];
    return () => {
      throw new Error(`sessionManager.${name} is not available here: extensions read the session, and write with pi.appendEntry, pi.setLabel and pi.setSessionName`);
    };
  },
});
