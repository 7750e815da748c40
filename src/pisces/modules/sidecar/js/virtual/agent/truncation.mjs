// Long texts cut by whole lines, at the beginning or at the end, with an account of what was left out.

import { Buffer } from "node:buffer";

export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES = 50 * 1024;
export const GREP_MAX_LINE_LENGTH = 500;

const bytes = (text) => Buffer.byteLength(text, "utf8");

export function formatSize(size) {
  if (size < 1024) return `${size}B`;
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(1)}KB` : `${(size / (1024 * 1024)).toFixed(1)}MB`;
}

function account(content, kept, limits, more) {
  return {
    content: kept.join("\n"),
    truncated: true,
    truncatedBy: "lines",
    totalLines: content.split("\n").length,
    totalBytes: bytes(content),
    outputLines: kept.length,
    outputBytes: bytes(kept.join("\n")),
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    ...limits,
    ...more,
  };
}

function limitsOf({ maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES } = {}) {
  return { maxLines, maxBytes };
}

const isShort = (content, lines, { maxLines, maxBytes }) => lines.length <= maxLines && bytes(content) <= maxBytes;

/** The lines that fit, taken from the front of the list; `by` says which limit was met. */
function fitting(lines, { maxLines, maxBytes }) {
  const kept = [];
  let size = 0;
  for (const line of lines) {
    if (kept.length === maxLines) return { kept, by: "lines" };
    size += bytes(line) + (kept.length ? 1 : 0);
    if (size > maxBytes) return { kept, by: "bytes" };
    kept.push(line);
  }
  return { kept, by: null };
}

export function truncateHead(content, options) {
  const limits = limitsOf(options);
  const lines = content.split("\n");
  if (isShort(content, lines, limits)) return account(content, lines, limits, { truncated: false, truncatedBy: null });
  if (bytes(lines[0]) > limits.maxBytes) return account(content, [], limits, { truncatedBy: "bytes", firstLineExceedsLimit: true });
  const { kept, by } = fitting(lines, limits);
  return account(content, kept, limits, { truncatedBy: by });
}

export function truncateTail(content, options) {
  const limits = limitsOf(options);
  const lines = content.split("\n");
  if (isShort(content, lines, limits)) return account(content, lines, limits, { truncated: false, truncatedBy: null });
  const { kept, by } = fitting([...lines].reverse(), limits);
  if (kept.length) return account(content, kept.reverse(), limits, { truncatedBy: by });
  return account(content, [endOf(lines.at(-1), limits.maxBytes)], limits, { truncatedBy: "bytes", lastLinePartial: true });
}

/** The last bytes of a line, beginning with a whole character. */
function endOf(line, size) {
  const encoded = Buffer.from(line, "utf8");
  let start = Math.max(0, encoded.length - size);
  while (start < encoded.length && (encoded[start] & 0xc0) === 0x80) start++;
  return encoded.subarray(start).toString("utf8");
}

export function truncateLine(line, maxChars = GREP_MAX_LINE_LENGTH) {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  return { text: `${line.slice(0, maxChars)}... [truncated]`, wasTruncated: true };
}
