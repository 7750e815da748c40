// Differences of two texts by lines: numbered for people, or as a unified patch.

/** Pairs of operation and line: " " kept, "-" removed, "+" added; the longest common subsequence between equal ends. */
export function lineChanges(before, after) {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const kept = (lines) => lines.map((line) => [" ", line]);
  return [
    ...kept(old.slice(0, start)),
    ...changed(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...kept(old.slice(old.length - end)),
  ];
}

const MOST_CELLS = 4_000_000;

function changed(old, fresh) {
  const whole = [...old.map((line) => ["-", line]), ...fresh.map((line) => ["+", line])];
  if (!old.length || !fresh.length || old.length * fresh.length > MOST_CELLS) return whole;
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const at = row * width + column;
      common[at] = old[row] === fresh[column] ? common[at + width + 1] + 1 : Math.max(common[at + width], common[at + 1]);
    }
  }
  return walked(old, fresh, common);
}

function walked(old, fresh, common) {
  const width = fresh.length + 1;
  const changes = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    const at = row * width + column;
    if (old[row] === fresh[column]) {
      changes.push([" ", old[row++]]);
      column++;
    } else if (common[at + width] >= common[at + 1]) changes.push(["-", old[row++]]);
    else changes.push(["+", fresh[column++]]);
  }
  return [...changes, ...old.slice(row).map((line) => ["-", line]), ...fresh.slice(column).map((line) => ["+", line])];
}

/** Runs of changes with some lines around them. */
function hunks(changes, context) {
  const near = changes.map((_, at) => changes.slice(Math.max(0, at - context), at + context + 1).some(([kind]) => kind !== " "));
  let [old, fresh] = [1, 1];
  const found = [];
  changes.forEach(([kind, line], at) => {
    if (near[at]) {
      if (!near[at - 1]) found.push({ old, fresh, lines: [] });
      found.at(-1).lines.push({ kind, line, old, fresh });
    }
    if (kind !== "+") old++;
    if (kind !== "-") fresh++;
  });
  return found;
}

export function generateDiffString(before, after, context = 4) {
  const changes = lineChanges(before.replace(/\n$/, ""), after.replace(/\n$/, ""));
  const width = String(Math.max(before.split("\n").length, after.split("\n").length)).length;
  const numbered = ({ kind, line, old, fresh }) => `${kind}${String(kind === "+" ? fresh : old).padStart(width)} ${line}`;
  const gap = ` ${" ".repeat(width)} ...`;
  const parts = hunks(changes, context);
  const lines = parts.flatMap((hunk, at) => [...(at || hunk.old > 1 ? [gap] : []), ...hunk.lines.map(numbered)]);
  const last = parts.at(-1)?.lines.at(-1);
  if (last && last.old < before.replace(/\n$/, "").split("\n").length && last.kind === " ") lines.push(gap);
  const first = parts.flatMap((hunk) => hunk.lines).find((line) => line.kind !== " ");
  return { diff: lines.join("\n"), firstChangedLine: first?.fresh };
}

export function generateUnifiedPatch(path, before, after, context = 3) {
  const parts = hunks(lineChanges(before.replace(/\n$/, ""), after.replace(/\n$/, "")), context);
  const count = (hunk, kind) => hunk.lines.filter((line) => line.kind !== kind).length;
  const text = parts.map((hunk) =>
    [`@@ -${hunk.old},${count(hunk, "+")} +${hunk.fresh},${count(hunk, "-")} @@`, ...hunk.lines.map(({ kind, line }) => kind + line)].join("\n"),
  );
  return [`--- ${path}`, `+++ ${path}`, ...text, ""].join("\n");
}
