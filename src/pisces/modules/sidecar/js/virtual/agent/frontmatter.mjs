// The YAML between two `---` lines at the top of a Markdown file: the part of YAML that people write there.

const BLOCK = /^---\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/;

export function parseFrontmatter(content) {
  const text = content.replace(/\r\n?/g, "\n");
  const found = BLOCK.exec(text);
  if (!found) return { frontmatter: {}, body: text };
  return { frontmatter: parsedYaml(found[1]) ?? {}, body: text.slice(found[0].length).trim() };
}

export const stripFrontmatter = (content) => parseFrontmatter(content).body;

/** Mappings, lists, flow collections, quoted and block texts, by indentation. */
export function parsedYaml(text) {
  const lines = text
    .split("\n")
    .map((line) => ({ indent: line.search(/\S/), text: line.trim(), raw: line }))
    .map((line) => (line.text.startsWith("#") ? { ...line, text: "", indent: -1 } : line));
  const reader = { lines, at: 0 };
  skipBlank(reader);
  return reader.at < lines.length ? node(reader, lines[reader.at].indent) : {};
}

function skipBlank(reader) {
  while (reader.at < reader.lines.length && reader.lines[reader.at].indent < 0) reader.at++;
}

function node(reader, indent) {
  return /^-(\s|$)/.test(reader.lines[reader.at].text) ? sequence(reader, indent) : mapping(reader, indent);
}

function sequence(reader, indent) {
  const items = [];
  for (skipBlank(reader); reader.at < reader.lines.length; skipBlank(reader)) {
    const line = reader.lines[reader.at];
    if (line.indent !== indent || !/^-(\s|$)/.test(line.text)) break;
    const rest = line.text.slice(1).trim();
    if (/^[\w"'][^{[]*?:(\s|$)/.test(rest) && !/^["'].*["']$/.test(rest)) {
      const inner = indent + line.text.indexOf(rest);
      reader.lines[reader.at] = { indent: inner, text: rest, raw: " ".repeat(inner) + rest };
      items.push(mapping(reader, inner));
    } else {
      reader.at++;
      items.push(rest ? value(reader, rest, indent) : nested(reader, indent));
    }
  }
  return items;
}

function mapping(reader, indent) {
  const found = {};
  for (skipBlank(reader); reader.at < reader.lines.length; skipBlank(reader)) {
    const line = reader.lines[reader.at];
    const entry = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s:][^:]*?(?::\S[^:]*?)*)\s*:(?:\s+(.*))?$/.exec(line.text);
    if (line.indent !== indent) break;
    if (!entry) throw new Error(`not a key and a value: ${line.text}`);
    reader.at++;
    const key = String(scalar(entry[1]));
    found[key] = entry[2] ? value(reader, entry[2], indent) : nested(reader, indent);
  }
  return found;
}

/** What stands below a key without a value: deeper lines, or a list at the same depth. */
function nested(reader, indent) {
  skipBlank(reader);
  const next = reader.lines[reader.at];
  if (!next || next.indent < indent || (next.indent === indent && !/^-(\s|$)/.test(next.text))) return null;
  return node(reader, next.indent);
}

function value(reader, text, indent) {
  if (/^[|>][+-]?\d?$/.test(text)) return block(reader, text, indent);
  if (/^[[{]/.test(text) || /^["']/.test(text)) return flow(joined(reader, text, indent));
  return scalar(continued(reader, text.replace(/\s+#.*$/, ""), indent));
}

function continued(reader, text, indent) {
  const parts = [text];
  while (reader.lines[reader.at]?.indent > indent) parts.push(reader.lines[reader.at++].text.replace(/\s+#.*$/, ""));
  return parts.join(" ");
}

/** A flow collection or a quoted text may go on over deeper lines. */
function joined(reader, text, indent) {
  let whole = text;
  while (reader.lines[reader.at]?.indent > indent) whole += ` ${reader.lines[reader.at++].text}`;
  return whole;
}

function block(reader, style, indent) {
  const lines = [];
  while (reader.at < reader.lines.length && (reader.lines[reader.at].indent > indent || !reader.lines[reader.at].raw.trim())) {
    lines.push(reader.lines[reader.at++].raw);
  }
  const depth = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  const text = lines.map((line) => line.slice(depth)).join("\n").trimEnd();
  const shown = style[0] === ">" ? text.replace(/([^\n])\n(?!\n|\s)/g, "$1 ") : text;
  return style.includes("-") ? shown : `${shown}\n`;
}

function flow(text) {
  const reader = { text, at: 0 };
  return flowValue(reader);
}

function flowValue(reader) {
  skipSpaces(reader);
  const first = reader.text[reader.at];
  if (first === "[") return flowList(reader);
  if (first === "{") return flowMap(reader);
  if (first === '"' || first === "'") return quoted(reader);
  const rest = /^[^,\]}]*/.exec(reader.text.slice(reader.at))[0];
  reader.at += rest.length;
  return scalar(rest.trim());
}

const skipSpaces = (reader) => void (reader.at += /^\s*/.exec(reader.text.slice(reader.at))[0].length);

function flowList(reader) {
  const items = [];
  reader.at++;
  for (skipSpaces(reader); reader.at < reader.text.length && reader.text[reader.at] !== "]"; skipSpaces(reader)) {
    items.push(flowValue(reader));
    skipSpaces(reader);
    if (reader.text[reader.at] === ",") reader.at++;
  }
  reader.at++;
  return items;
}

function flowMap(reader) {
  const found = {};
  reader.at++;
  for (skipSpaces(reader); reader.at < reader.text.length && reader.text[reader.at] !== "}"; skipSpaces(reader)) {
    const key = /^["']/.test(reader.text[reader.at]) ? quoted(reader) : /^[^:,}]*/.exec(reader.text.slice(reader.at))[0];
    if (!/^["']/.test(reader.text[reader.at] ?? "") && reader.text.startsWith(key, reader.at)) reader.at += key.length;
    skipSpaces(reader);
    if (reader.text[reader.at] === ":") reader.at++;
    found[String(key).trim()] = flowValue(reader);
    skipSpaces(reader);
    if (reader.text[reader.at] === ",") reader.at++;
  }
  reader.at++;
  return found;
}

function quoted(reader) {
  const rest = reader.text.slice(reader.at);
  const found = rest[0] === '"' ? /^"(?:[^"\\]|\\.)*"/.exec(rest) : /^'(?:[^']|'')*'/.exec(rest);
  reader.at += found ? found[0].length : rest.length;
  return scalar(found ? found[0] : rest);
}

function scalar(text) {
  if (/^".*"$/s.test(text)) return unescaped(text);
  if (/^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (text === "" || text === "~" || /^null$/i.test(text)) return null;
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  return text;
}

function unescaped(text) {
  try {
    return JSON.parse(text.replaceAll("\n", "\\n"));
  } catch {
    return text.slice(1, -1); // an escape that JSON does not know stays as it is
  }
}
