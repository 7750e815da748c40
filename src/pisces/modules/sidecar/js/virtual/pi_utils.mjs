// What `pi-utils` of omp exports and extensions use: durations and sizes in words, error codes, places, a log.

import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";
import { state } from "./host_link.mjs";

export { parseFrontmatter } from "./agent/frontmatter.mjs";
export { toError } from "./pi_agent_core.mjs";
export * from "./agent/places.mjs";
export { parseJsonWithRepair, parseStreamingJson, repairJson } from "./ai/json.mjs";
export { stripTerminalSequences as sanitizeText } from "./tui/width.mjs";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const both = (milliseconds, [large, largeName], [small, smallName]) => {
  const rest = Math.floor((milliseconds % large) / small);
  return `${Math.floor(milliseconds / large)}${largeName}${rest ? `${rest}${smallName}` : ""}`;
};

export function formatDuration(milliseconds) {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)}ms`;
  if (milliseconds < MINUTE) return `${(milliseconds / SECOND).toFixed(1)}s`;
  if (milliseconds < HOUR) return both(milliseconds, [MINUTE, "m"], [SECOND, "s"]);
  return milliseconds < DAY ? both(milliseconds, [HOUR, "h"], [MINUTE, "m"]) : both(milliseconds, [DAY, "d"], [HOUR, "h"]);
}

export function formatNumber(number) {
  const steps = [[1e9, "B"], [1e6, "M"], [1e3, "K"]];
  const [size, name] = steps.find(([each]) => number >= each) ?? [1, ""];
  const scaled = number / size;
  return name ? `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)}${name}` : String(number);
}

export function formatBytes(bytes) {
  const steps = [[2 ** 30, "GB"], [2 ** 20, "MB"], [2 ** 10, "KB"]];
  const [size, name] = steps.find(([each]) => bytes >= each) ?? [1, "B"];
  return size === 1 ? `${bytes}B` : `${(bytes / size).toFixed(1)}${name}`;
}

export const formatPercent = (ratio) => `${(ratio * 100).toFixed(1)}%`;
export const pluralize = (label, count) => (count === 1 ? label : /(?:s|x|z|ch|sh)$/.test(label) ? `${label}es` : /[^aeiou]y$/.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`);
export const formatCount = (label, count) => `${count} ${pluralize(label, count)}`;
export const truncate = (text, length, ellipsis = "…") => (text.length <= length ? text : text.slice(0, Math.max(0, length - ellipsis.length)) + ellipsis);

export function formatAge(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const steps = [[604800, "w"], [86400, "d"], [3600, "h"], [60, "m"]];
  const [size, name] = steps.find(([each]) => seconds >= each) ?? [1, ""];
  return name ? `${Math.floor(seconds / size)}${name} ago` : "just now";
}

export const isFsError = (error) => error instanceof Error && typeof error.code === "string";
export const hasFsCode = (error, code) => isFsError(error) && error.code === code;
const withCode = (code) => (error) => hasFsCode(error, code);
export const isEnoent = withCode("ENOENT");
export const isEacces = withCode("EACCES");
export const isEexist = withCode("EEXIST");
export const isEisdir = withCode("EISDIR");
export const isEnotdir = withCode("ENOTDIR");
export const isEnotempty = withCode("ENOTEMPTY");

export const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const asRecord = (value) => (isRecord(value) ? value : null);
export const stringProperty = (value, name) => (typeof value?.[name] === "string" ? value[name] : undefined);
export const once = (make) => {
  let made;
  return () => (made ??= { value: make() }).value;
};

export function tryParseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // that is what the caller asked about
  }
}
export const structuredCloneJSON = (value) => JSON.parse(JSON.stringify(value));
export const stringifyJson = (value) => JSON.stringify(value);
export const parseJsonlLenient = (text) => text.split("\n").map(tryParseJson).filter((each) => each !== null);
export const readLines = async function* lines(path) {
  yield* (await readFile(path, "utf8")).split("\n");
};

export const $env = process.env;
export const $flag = (name) => ["1", "true", "yes", "on"].includes((process.env[name] ?? "").toLowerCase());
export const $pickenv = (...names) => names.map((name) => process.env[name]).find(Boolean);
export const getProjectDir = () => state().cwd || process.cwd();
export const getProjectAgentDir = (cwd = getProjectDir()) => join(cwd, ".pisces");
export const getConfigDirName = () => ".pisces";
export const getConfigRootDir = () => join(homedir(), ".pisces");
export const getLogsDir = () => join(tmpdir(), "pisces-logs");

export const pathIsWithin = (root, path) => {
  const inside = relative(resolve(root), resolve(path));
  return inside === "" || (!inside.startsWith("..") && !isAbsolute(inside));
};

/** The program that a name means on the PATH, or null. */
export function $which(name) {
  const suffixes = process.platform === "win32" ? (process.env.PATHEXT ?? ".EXE;.CMD").split(";") : [""];
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = folders.flatMap((folder) => suffixes.map((suffix) => join(folder, name + suffix)));
  return candidates.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile()) ?? null;
}
export const whichFresh = $which;

export class AbortError extends Error {
  name = "AbortError";
}

/** What a promise gives, unless the signal fires before. */
export async function untilAborted(signal, given) {
  if (signal?.aborted) throw new AbortError("Aborted");
  const work = typeof given === "function" ? given() : given;
  if (!signal) return work;
  let stop;
  const stopped = new Promise((_, fail) => {
    stop = () => fail(new AbortError("Aborted"));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export async function withTimeout(work, milliseconds, message = "Timed out") {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(message)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const silent = () => {};
const said = (level) => (message, details) => console.error(`[${level}] ${message}`, ...(details === undefined ? [] : [details]));
export const logger = { error: said("error"), warn: said("warning"), info: silent, debug: silent, time: (_name, act, ...args) => act?.(...args) };

/** Numbers that grow with time, as hexadecimal text. */
export const Snowflake = { next: () => (BigInt(Date.now()) * 4194304n + BigInt(Math.floor(Math.random() * 4194304))).toString(16).padStart(16, "0") };

export const compareVersions = (first, second) => {
  const numbers = (text) => text.replace(/^v/, "").split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [numbers(first), numbers(second)];
  const at = left.findIndex((part, index) => part !== (right[index] ?? 0));
  return at < 0 ? 0 : Math.sign(left[at] - (right[at] ?? 0));
};

const XML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
export const escapeXmlText = (text) => text.replace(/[&<>]/g, (each) => XML[each]);
export const escapeXmlAttribute = (text) => text.replace(/[&<>"']/g, (each) => XML[each]);
