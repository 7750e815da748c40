// Skills in folders, read for extensions that look for them: a folder with `SKILL.md`, or a Markdown file at the top.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseFrontmatter } from "./frontmatter.mjs";
import { CONFIG_DIR_NAME } from "./places.mjs";
import { createSyntheticSourceInfo } from "./tool_events.mjs";

const warning = (message, path) => ({ type: "warning", message, path });

function loaded(path, source) {
  try {
    const { frontmatter } = parseFrontmatter(readFileSync(path, "utf8"));
    const name = frontmatter.name || basename(dirname(path));
    if (!frontmatter.description?.trim?.()) return { diagnostic: warning("description is required", path) };
    const sourceInfo = createSyntheticSourceInfo(path, { source, baseDir: dirname(path) });
    const isHidden = frontmatter["disable-model-invocation"] === true;
    return { skill: { name, description: frontmatter.description, filePath: path, baseDir: dirname(path), sourceInfo, disableModelInvocation: isHidden } };
  } catch (error) {
    return { diagnostic: warning(error.message, path) };
  }
}

function* skillFiles(folder, isTop) {
  if (!existsSync(folder)) return;
  if (existsSync(join(folder, "SKILL.md"))) return yield join(folder, "SKILL.md");
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (name.startsWith(".") || name === "node_modules") continue;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) yield* skillFiles(path, false);
    else if (isTop && name.endsWith(".md")) yield path;
  }
}

function collected(paths, source) {
  const results = [...paths].map((path) => loaded(path, source));
  return { skills: results.flatMap(({ skill }) => skill ?? []), diagnostics: results.flatMap(({ diagnostic }) => diagnostic ?? []) };
}

export const loadSkillsFromDir = ({ dir, source }) => collected(skillFiles(dir, true), source);

export function loadSkills({ cwd, agentDir, skillPaths = [], includeDefaults = true }) {
  const defaults = includeDefaults ? [[join(agentDir, "skills"), "user"], [join(cwd, CONFIG_DIR_NAME, "skills"), "project"]] : [];
  const folders = [...defaults, ...skillPaths.map((path) => [path, "path"])];
  const found = folders.map(([path, source]) => (path.endsWith(".md") ? collected([path], source) : loadSkillsFromDir({ dir: path, source })));
  const named = new Map();
  for (const skill of found.flatMap(({ skills }) => skills)) if (!named.has(skill.name)) named.set(skill.name, skill);
  return { skills: [...named.values()], diagnostics: found.flatMap(({ diagnostics }) => diagnostics) };
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&apos;");

/** The part of a system prompt that tells a model which skills there are and where to read them. */
export function formatSkillsForPrompt(skills) {
  const shown = skills.filter((skill) => !skill.disableModelInvocation);
  if (!shown.length) return "";
  const entries = shown.map(({ name, description, filePath }) =>
    [`  <skill>`, `    <name>${escaped(name)}</name>`, `    <description>${escaped(description)}</description>`, `    <location>${escaped(filePath)}</location>`, `  </skill>`].join("\n"),
  );
  const words = "These skills hold instructions for special tasks.\nRead the file of a skill when a task fits its description. Paths in it are relative to its own folder.";
  return `\n\n${words}\n\n<available_skills>\n${entries.join("\n")}\n</available_skills>`;
}
