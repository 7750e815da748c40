// Completion of slash commands and of file names below a folder.

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fuzzyFilter } from "./fuzzy.mjs";

const MOST = 50;

export class CombinedAutocompleteProvider {
  constructor(commands = [], basePath = process.cwd()) {
    Object.assign(this, { commands, basePath });
  }

  async getSuggestions(lines, cursorLine, cursorCol, options = {}) {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    if (before.startsWith("/") && !options.force) return before.includes(" ") ? this.#argumentsOf(before) : this.#commandsFor(before);
    const prefix = /(?:^|[\s"'=])(@?[^\s"'=]*)$/.exec(before)?.[1] ?? "";
    if (!options.force && !prefix.startsWith("@")) return null;
    const items = this.#files(prefix);
    return items.length ? { items, prefix } : null;
  }

  #commandsFor(prefix) {
    const items = this.commands.map((each) => ({ value: each.name ?? each.value, label: each.name ?? each.label, description: each.description }));
    const found = fuzzyFilter(items, prefix.slice(1), (item) => item.value);
    return found.length ? { items: found, prefix } : null;
  }

  async #argumentsOf(before) {
    const [, name, prefix] = /^\/(\S+)\s+(.*)$/.exec(before) ?? [];
    const command = this.commands.find((each) => (each.name ?? each.value) === name);
    const items = await command?.getArgumentCompletions?.(prefix);
    return items?.length ? { items, prefix } : null;
  }

  #files(prefix) {
    const sign = prefix.startsWith("@") ? "@" : "";
    const typed = prefix.slice(sign.length);
    const expanded = typed.replace(/^~(?=\/|$)/, homedir());
    const folder = typed.endsWith("/") || !typed ? typed : `${dirname(typed)}/`.replace(/^\.\/(?!.*^\.)/, typed.startsWith("./") ? "./" : "");
    const path = expanded.endsWith("/") || !expanded ? expanded : dirname(expanded);
    const name = typed.slice(typed.lastIndexOf("/") + 1);
    return entriesIn(isAbsolute(path) ? path : join(this.basePath, path))
      .filter((entry) => entry.name.toLowerCase().startsWith(name.toLowerCase()))
      .slice(0, MOST)
      .map((entry) => ({ value: sign + folder + entry.name + (entry.isDirectory() ? "/" : ""), label: entry.name + (entry.isDirectory() ? "/" : "") }));
  }

  applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
    const line = lines[cursorLine] ?? "";
    const start = line.slice(0, cursorCol - prefix.length);
    const isCommand = prefix.startsWith("/") && !start.trim() && !prefix.slice(1).includes("/");
    const isFile = prefix.startsWith("@") && !item.value.endsWith("/");
    const text = isCommand ? `/${item.value} ` : item.value + (isFile ? " " : "");
    const changed = [...lines];
    changed[cursorLine] = start + text + line.slice(cursorCol);
    return { lines: changed, cursorLine, cursorCol: start.length + text.length };
  }

  shouldTriggerFileCompletion(lines, cursorLine, cursorCol) {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol).trim();
    return !(before.startsWith("/") && !before.includes(" "));
  }
}

function entriesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a folder that cannot be read completes to nothing
  }
}
