// A transcript: entries in a tree, one JSON a line. Kept in memory or read from a file; files are never rewritten from here.

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, appendFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildContextEntries, buildSessionContext, CURRENT_SESSION_VERSION, parseSessionEntries, pathTo } from "./conversation.mjs";
import { uuidv7 } from "./ids.mjs";
import { getSessionsDir } from "./places.mjs";

export const getDefaultSessionDir = (cwd) => join(getSessionsDir(), `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`);

export function loadEntriesFromFile(path) {
  if (!existsSync(path)) return [];
  const entries = parseSessionEntries(readFileSync(path, "utf8"));
  return entries[0]?.type === "session" ? entries : [];
}

export class SessionManager {
  #entries = [];
  #header = null;
  #leaf = null;
  #file;
  #cwd;
  #folder;

  constructor(cwd = process.cwd(), folder = "", file = undefined) {
    this.#cwd = cwd;
    this.#folder = folder;
    if (file) this.setSessionFile(file);
    else this.newSession();
  }

  static inMemory(cwd = process.cwd()) {
    return new SessionManager(cwd);
  }

  static create(cwd, folder = getDefaultSessionDir(cwd)) {
    return new SessionManager(cwd, folder);
  }

  static open(path, folder = dirname(path), cwd = undefined) {
    const header = loadEntriesFromFile(path)[0];
    return new SessionManager(cwd ?? header?.cwd ?? process.cwd(), folder, path);
  }

  static continueRecent(cwd, folder = getDefaultSessionDir(cwd)) {
    const recent = sessionFiles(folder)[0];
    return new SessionManager(cwd, folder, recent);
  }

  static forkFrom(path, cwd, folder = getDefaultSessionDir(cwd)) {
    const fork = new SessionManager(cwd, folder);
    fork.newSession({ parentSession: path });
    for (const entry of loadEntriesFromFile(path).slice(1)) fork.#append(entry);
    return fork;
  }

  static async list(cwd, folder = getDefaultSessionDir(cwd)) {
    return sessionFiles(folder).map(summaryOf).filter(Boolean);
  }

  static async listAll() {
    const folders = existsSync(getSessionsDir()) ? readdirSync(getSessionsDir()).map((name) => join(getSessionsDir(), name)) : [];
    return folders.flatMap(sessionFiles).map(summaryOf).filter(Boolean);
  }

  newSession(options = {}) {
    const timestamp = new Date().toISOString();
    const id = options.id ?? uuidv7();
    this.#header = { type: "session", version: CURRENT_SESSION_VERSION, id, timestamp, cwd: this.#cwd };
    if (options.parentSession) this.#header.parentSession = options.parentSession;
    this.#entries = [];
    this.#leaf = null;
    this.#file = this.#folder ? join(this.#folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`) : undefined;
    return this.#file;
  }

  setSessionFile(path) {
    const [header, ...entries] = loadEntriesFromFile(path);
    this.newSession();
    this.#file = path;
    if (!header) return;
    this.#header = header;
    this.#entries = entries;
    this.#leaf = entries.at(-1)?.id ?? null;
  }

  isPersisted() { return Boolean(this.#file); }
  getCwd() { return this.#cwd; }
  getSessionDir() { return this.#folder; }
  getSessionId() { return this.#header.id; }
  getSessionFile() { return this.#file; }
  getHeader() { return this.#header; }
  getEntries() { return [...this.#entries]; }
  getLeafId() { return this.#leaf; }
  getLeafEntry() { return this.getEntry(this.#leaf); }
  getEntry(id) { return this.#entries.find((entry) => entry.id === id); }
  getChildren(id) { return this.#entries.filter((entry) => entry.parentId === id); }
  getLabel(id) { return this.#entries.findLast((entry) => entry.type === "label" && entry.targetId === id)?.label; }
  getSessionName() { return this.#entries.findLast((entry) => entry.type === "session_info")?.name || undefined; }
  getBranch(from = this.#leaf) { return from === null ? [] : pathTo(this.#entries, from); }
  buildSessionContext() { return buildSessionContext(this.#entries, this.#leaf); }
  buildContextEntries() { return buildContextEntries(this.#entries, this.#leaf); }

  getTree() {
    const nodes = new Map(this.#entries.map((entry) => [entry.id, { entry, children: [], label: this.getLabel(entry.id) }]));
    const roots = [];
    for (const node of nodes.values()) (nodes.get(node.entry.parentId)?.children ?? roots).push(node);
    return roots;
  }

  #append(given) {
    const entry = { ...given, id: given.id ?? randomUUID().slice(0, 8), parentId: given.parentId ?? this.#leaf, timestamp: given.timestamp ?? new Date().toISOString() };
    this.#entries.push(entry);
    this.#leaf = entry.id;
    if (this.#file) this.#write(entry);
    return entry.id;
  }

  /** A file is begun with the first entry, so that a session nobody used leaves none. */
  #write(entry) {
    mkdirSync(dirname(this.#file), { recursive: true });
    const lines = existsSync(this.#file) ? [entry] : [this.#header, ...this.#entries];
    appendFileSync(this.#file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  appendMessage(message) { return this.#append({ type: "message", message }); }
  appendThinkingLevelChange(thinkingLevel) { return this.#append({ type: "thinking_level_change", thinkingLevel }); }
  appendModelChange(provider, modelId) { return this.#append({ type: "model_change", provider, modelId }); }
  appendCustomEntry(customType, data) { return this.#append({ type: "custom", customType, data }); }
  appendSessionInfo(name) { return this.#append({ type: "session_info", name: name.trim() }); }
  appendLabelChange(targetId, label) { return this.#append({ type: "label", targetId, label }); }

  appendCustomMessageEntry(customType, content, display, details) {
    return this.#append({ type: "custom_message", customType, content, display, details });
  }

  appendCompaction(summary, firstKeptEntryId, tokensBefore, details, fromHook) {
    return this.#append({ type: "compaction", summary, firstKeptEntryId, tokensBefore, details, fromHook });
  }

  branch(id) {
    if (!this.getEntry(id)) throw new Error(`Entry ${id} not found`);
    this.#leaf = id;
  }

  resetLeaf() { this.#leaf = null; }

  branchWithSummary(id, summary, details, fromHook) {
    this.#leaf = id;
    return this.#append({ type: "branch_summary", parentId: id, fromId: id ?? "root", summary, details, fromHook });
  }
}

function sessionFiles(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
  return files.sort((first, second) => statSync(second).mtimeMs - statSync(first).mtimeMs);
}

const textOf = (content) => (typeof content === "string" ? content : (content ?? []).filter((part) => part.type === "text").map((part) => part.text).join(" "));

function summaryOf(path) {
  const [header, ...entries] = loadEntriesFromFile(path);
  if (!header) return null;
  const messages = entries.filter((entry) => entry.type === "message").map((entry) => entry.message);
  const first = messages.find((message) => message.role === "user");
  return {
    path,
    id: header.id ?? basename(path),
    cwd: header.cwd ?? "",
    name: entries.findLast((entry) => entry.type === "session_info")?.name,
    parentSessionPath: header.parentSession,
    created: new Date(header.timestamp),
    modified: statSync(path).mtime,
    messageCount: messages.length,
    firstMessage: first ? textOf(first.content) : "(no messages)",
    allMessagesText: messages.map((message) => textOf(message.content)).join(" "),
  };
}
