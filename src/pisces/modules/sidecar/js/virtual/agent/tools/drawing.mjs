// How the built-in tools draw their calls and results: a title, then the first lines of the text.

import { Text } from "../../tui/boxes.mjs";

const PREVIEW_LINES = 10;

export const textOf = (result) => (result?.content ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n");

export const callDrawer = (name, subject) => (args, theme) =>
  new Text(`${theme.fg("toolTitle", theme.bold(name))} ${theme.fg("accent", String(subject(args ?? {})))}`.trimEnd(), 0, 0);

export function drawResult(result, options, theme) {
  const lines = textOf(result).trimEnd().split("\n");
  const shown = options?.expanded ? lines : lines.slice(0, PREVIEW_LINES);
  const left = lines.length - shown.length;
  const more = left > 0 ? [theme.fg("muted", `... (${left} more lines)`)] : [];
  return new Text([...shown.map((line) => theme.fg("toolOutput", line)), ...more].join("\n"), 0, 0);
}
