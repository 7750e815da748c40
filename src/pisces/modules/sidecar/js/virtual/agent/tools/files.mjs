// The tools `read`, `write` and `edit`. What touches the disk can be replaced by `operations`.

import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Type } from "../../typebox.mjs";
import { generateDiffString, generateUnifiedPatch } from "../diff.mjs";
import { withFileMutationQueue } from "../file_queue.mjs";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, truncateHead } from "../truncation.mjs";
import { callDrawer, drawResult } from "./drawing.mjs";
import { resolved, stopIfAborted } from "./paths.mjs";

const SIGNATURES = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
];

export function imageType(bytes) {
  const found = SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte));
  if (found) return found[0];
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP" ? "image/webp" : null;
}

export const detectSupportedImageMimeTypeFromFile = async (path) => imageType(await readFile(path));

const text = (content) => [{ type: "text", text: content }];
const onDisk = {
  read: { readFile, access: (path) => access(path, constants.R_OK) },
  write: { writeFile: (path, content) => writeFile(path, content, "utf8"), mkdir: (path) => mkdir(path, { recursive: true }) },
  edit: { readFile, writeFile: (path, content) => writeFile(path, content, "utf8"), access: (path) => access(path, constants.R_OK | constants.W_OK) },
};

export const formatReadLineRange = ({ offset, limit } = {}) => {
  if (offset === undefined && limit === undefined) return "";
  const first = offset ?? 1;
  return limit === undefined ? `:${first}` : `:${first}-${first + limit - 1}`;
};

/** The lines asked for, cut where they are too many, with a word on how to go on. */
function lines(content, { path, offset, limit }) {
  const all = content.split("\n");
  const from = Math.max(0, (offset ?? 1) - 1);
  if (from >= all.length) throw new Error(`${path} has ${all.length} lines: there is no line ${offset}`);
  const wanted = limit === undefined ? all.slice(from) : all.slice(from, from + limit);
  const truncation = truncateHead(wanted.join("\n"));
  if (truncation.firstLineExceedsLimit) {
    const size = formatSize(Buffer.byteLength(all[from], "utf8"));
    return { text: `[Line ${from + 1} alone has ${size}, more than the ${formatSize(DEFAULT_MAX_BYTES)} shown at once. Use bash: cut -c 1-1000 ${path}]`, truncation };
  }
  const end = from + truncation.outputLines;
  if (truncation.truncated) return { text: `${truncation.content}\n\n[Showing lines ${from + 1}-${end} of ${all.length}. Use offset=${end + 1} to continue.]`, truncation };
  if (end < all.length) return { text: `${truncation.content}\n\n[${all.length - end} more lines in file. Use offset=${end + 1} to continue.]` };
  return { text: truncation.content };
}

export function createReadToolDefinition(cwd, options = {}) {
  const operations = options.operations ?? onDisk.read;
  return {
    name: "read",
    label: "read",
    description: `Read a text file or an image (png, jpeg, gif, webp). Text stops after ${DEFAULT_MAX_LINES} lines or ${formatSize(DEFAULT_MAX_BYTES)}; go on with \`offset\`.`,
    promptSnippet: "Read files",
    promptGuidelines: ["To look into a file use `read`, not `cat` or `sed`."],
    parameters: Type.Object({
      path: Type.String({ description: "The file, relative to the working folder or absolute" }),
      offset: Type.Optional(Type.Number({ description: "The first line to read, counted from 1" })),
      limit: Type.Optional(Type.Number({ description: "How many lines at most" })),
    }),
    async execute(_id, args, signal) {
      const path = resolved(args.path ?? args.file_path, cwd);
      stopIfAborted(signal);
      await operations.access(path);
      const bytes = Buffer.from(await operations.readFile(path));
      stopIfAborted(signal);
      const type = operations.detectImageMimeType ? await operations.detectImageMimeType(path) : imageType(bytes);
      if (type) return { content: [...text(`Read image file [${type}]`), { type: "image", data: bytes.toString("base64"), mimeType: type }], details: undefined };
      const shown = lines(bytes.toString("utf8"), args);
      return { content: text(shown.text), details: shown.truncation ? { truncation: shown.truncation } : undefined };
    },
    renderCall: callDrawer("read", (args) => `${args.path ?? "..."}${formatReadLineRange(args)}`),
    renderResult: drawResult,
  };
}

export function createWriteToolDefinition(cwd, options = {}) {
  const operations = options.operations ?? onDisk.write;
  return {
    name: "write",
    label: "write",
    description: "Write a file, with the folders above it. A file that exists is replaced.",
    promptSnippet: "Create or replace files",
    promptGuidelines: ["Use `write` for new files and for files that change as a whole."],
    parameters: Type.Object({
      path: Type.String({ description: "The file, relative to the working folder or absolute" }),
      content: Type.String({ description: "All of what the file is to hold" }),
    }),
    async execute(_id, args, signal) {
      const path = resolved(args.path, cwd);
      return withFileMutationQueue(path, async () => {
        stopIfAborted(signal);
        await operations.mkdir(dirname(path));
        stopIfAborted(signal);
        await operations.writeFile(path, args.content);
        return { content: text(`Successfully wrote ${args.content.length} bytes to ${args.path}`), details: undefined };
      });
    },
    renderCall: callDrawer("write", (args) => args.path ?? "..."),
    renderResult: drawResult,
  };
}

/** Each edit is looked up in the text as it was; where one is not found, or found twice, nothing is changed. */
function edited(content, edits, path) {
  const places = edits.map(({ oldText, newText }, at) => {
    const which = edits.length > 1 ? `edits[${at}] in ${path}` : path;
    const from = oldText === "" ? -1 : content.indexOf(oldText);
    if (from < 0) throw new Error(`${which} does not contain this oldText. It must be the same to the letter, with its blanks and line ends.`);
    const count = content.split(oldText).length - 1;
    if (count > 1) throw new Error(`${which} contains this oldText ${count} times. Make it longer, so that only one place is meant.`);
    return { from, to: from + oldText.length, newText };
  });
  places.sort((first, second) => first.from - second.from);
  if (places.some((place, at) => at && place.from < places[at - 1].to)) throw new Error(`Two edits of ${path} overlap: make them one.`);
  return places.reduceRight((changed, { from, to, newText }) => changed.slice(0, from) + newText + changed.slice(to), content);
}

const withLineEnds = (content, isWindows) => (isWindows ? content.replaceAll("\n", "\r\n") : content);
const plainLines = (content) => content.replaceAll("\r\n", "\n");

/** Older models say `oldText` and `newText` beside `path`, or send the list as JSON. */
function prepareArguments(args) {
  if (!args || typeof args !== "object") return args;
  const { oldText, newText, edits = [], ...rest } = args;
  const list = typeof edits === "string" ? JSON.parse(edits) : edits;
  return { ...rest, edits: oldText === undefined ? list : [...list, { oldText, newText }] };
}

export function createEditToolDefinition(cwd, options = {}) {
  const operations = options.operations ?? onDisk.edit;
  return {
    name: "edit",
    label: "edit",
    description: "Replace exact pieces of text in one file. Each `oldText` must occur once in the file as it is, and the pieces must not overlap.",
    promptSnippet: "Change files by exact replacement, several places in one call",
    promptGuidelines: ["Use one `edit` call with several `edits` for several places in one file.", "Keep `oldText` short, and long enough to be unique."],
    parameters: Type.Object({
      path: Type.String({ description: "The file, relative to the working folder or absolute" }),
      edits: Type.Array(
        Type.Object({
          oldText: Type.String({ description: "Exact text to replace; occurs once in the file and overlaps no other edit" }),
          newText: Type.String({ description: "Text to put in its place" }),
        }, { additionalProperties: false }),
        { description: "Replacements, each looked up in the original file" },
      ),
    }, { additionalProperties: false }),
    prepareArguments,
    async execute(_id, given, signal) {
      const { path: shown, edits } = prepareArguments(given);
      const path = resolved(shown, cwd);
      if (!edits?.length) throw new Error("An edit needs at least one replacement.");
      return withFileMutationQueue(path, async () => {
        stopIfAborted(signal);
        await operations.access(path).catch((error) => {
          throw new Error(`Could not edit file: ${shown}. ${error.code ? `Error code: ${error.code}` : error.message}.`);
        });
        const raw = Buffer.from(await operations.readFile(path)).toString("utf8");
        const before = plainLines(raw);
        const after = edited(before, edits.map((each) => ({ oldText: plainLines(each.oldText), newText: plainLines(each.newText) })), shown);
        if (after === before) throw new Error(`${shown} is left as it was: the new text is the old one.`);
        stopIfAborted(signal);
        await operations.writeFile(path, withLineEnds(after, raw.includes("\r\n")));
        const details = { ...generateDiffString(before, after), patch: generateUnifiedPatch(shown, before, after) };
        return { content: text(`Successfully replaced ${edits.length} block(s) in ${shown}.`), details };
      });
    },
    renderCall: callDrawer("edit", (args) => args.path ?? "..."),
    renderResult: drawResult,
  };
}
