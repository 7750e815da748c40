// Settings of pi, read from the user's and the project's file, with pi's own defaults. Nothing is ever written.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getAgentDir, CONFIG_DIR_NAME } from "./places.mjs";

function parsed(path) {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  } catch {
    return {}; // a broken settings file is reported by who owns it
  }
}

// What a getter reads, where that is not the setting of its own name, and what it answers where nobody has set it.
const DEFAULTS = {
  steeringMode: ["steeringMode", "one-at-a-time"],
  followUpMode: ["followUpMode", "one-at-a-time"],
  transport: ["transport", "auto"],
  compactionEnabled: ["compaction.enabled", true],
  compactionReserveTokens: ["compaction.reserveTokens", 16384],
  compactionKeepRecentTokens: ["compaction.keepRecentTokens", 20000],
  compactionSettings: ["compaction", { enabled: true, reserveTokens: 16384, keepRecentTokens: 20000 }],
  branchSummarySettings: ["branchSummary", { reserveTokens: 16384, skipPrompt: false }],
  branchSummarySkipPrompt: ["branchSummary.skipPrompt", false],
  retryEnabled: ["retry.enabled", true],
  retrySettings: ["retry", { enabled: true, maxRetries: 3, baseDelayMs: 2000 }],
  providerRetrySettings: ["retry.provider", { timeoutMs: undefined, maxRetries: undefined, maxRetryDelayMs: 60000 }],
  hideThinkingBlock: ["hideThinkingBlock", false],
  quietStartup: ["quietStartup", false],
  collapseChangelog: ["collapseChangelog", false],
  enableInstallTelemetry: ["enableInstallTelemetry", true],
  packages: ["packages", []],
  extensionPaths: ["extensions", []],
  skillPaths: ["skills", []],
  promptTemplatePaths: ["prompts", []],
  themePaths: ["themes", []],
  enableSkillCommands: ["enableSkillCommands", true],
  showImages: ["terminal.showImages", true],
  imageWidthCells: ["terminal.imageWidthCells", 60],
  clearOnShrink: ["terminal.clearOnShrink", false],
  showTerminalProgress: ["terminal.showTerminalProgress", false],
  imageAutoResize: ["images.autoResize", true],
  blockImages: ["images.blockImages", false],
  doubleEscapeAction: ["doubleEscapeAction", "tree"],
  treeFilterMode: ["treeFilterMode", "default"],
  showHardwareCursor: ["showHardwareCursor", false],
  editorPaddingX: ["editorPaddingX", 0],
  autocompleteMaxVisible: ["autocompleteMaxVisible", 5],
  codeBlockIndent: ["markdown.codeBlockIndent", "  "],
  warnings: ["warnings", {}],
};

const isGroup = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function valueOf(settings, name) {
  const [path, otherwise] = DEFAULTS[name] ?? [name, undefined];
  const value = path.split(".").reduce((part, key) => part?.[key], settings);
  const known = isGroup(otherwise) ? Object.entries(otherwise) : [];
  return known.length ? Object.fromEntries(known.map(([key, each]) => [key, value?.[key] ?? each])) : (value ?? otherwise);
}

const camel = (name) => name.replace(/^(?:get|is|should)([A-Z])/, (_, letter) => letter.toLowerCase());

/** `getTheme()` is the setting `theme`; a method that would write says that it does not. */
const reading = (target) =>
  new Proxy(target, {
    get(owner, name, receiver) {
      if (typeof name === "symbol" || name in owner || name === "then") return Reflect.get(owner, name, receiver);
      if (/^(?:get|is|should)[A-Z]/.test(name)) return () => valueOf(owner.getSettings(), camel(name));
      return () => {
        throw new Error(`\`SettingsManager.${String(name)}\` of pi-coding-agent is not available in pisces: extensions read settings, they do not write them`);
      };
    },
  });

/** The project's win; of a group, key by key. */
const merged = (user, project) =>
  Object.fromEntries(
    Object.entries({ ...user, ...project }).map(([key, value]) => [key, isGroup(value) && isGroup(user[key]) ? { ...user[key], ...value } : value]),
  );

const GLOBAL = Symbol("settings of the user");
const PROJECT = Symbol("settings of the project");

export class SettingsManager {
  constructor(global = {}, project = {}) {
    this[GLOBAL] = global;
    this[PROJECT] = project;
    return reading(this);
  }

  static create(cwd = process.cwd(), agentDir = getAgentDir()) {
    return new SettingsManager(parsed(join(agentDir, "settings.json")), parsed(join(cwd, CONFIG_DIR_NAME, "settings.json")));
  }

  static inMemory(settings = {}) {
    return new SettingsManager(settings);
  }

  getGlobalSettings() { return structuredClone(this[GLOBAL]); }
  getProjectSettings() { return structuredClone(this[PROJECT]); }
  getSettings() { return merged(this[GLOBAL], this[PROJECT]); }
  drainErrors() { return []; } // who owns the files has reported them
  async flush() {} // nothing is ever written
  reload() {}
}
