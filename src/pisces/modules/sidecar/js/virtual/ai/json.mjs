// JSON that is not quite JSON: cut off in the middle of a stream, or with line breaks inside of texts.

/** Control characters inside texts escaped, and escapes that JSON does not know taken literally. */
export function repairJson(text) {
  let isInText = false;
  return text.replace(/\\(u[\da-fA-F]{4}|.)?|"|[\x00-\x1f]/gs, (part, escape) => {
    if (part === '"') isInText = !isInText;
    if (part === '"' || !isInText) return part;
    if (part[0] === "\\") return escape !== undefined && /^["\\/bfnrt]$|^u/.test(escape) && escape !== "u" ? part : `\\\\${escape ?? ""}`;
    return JSON.stringify(part).slice(1, -1);
  });
}

export function parseJsonWithRepair(text) {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(repairJson(text)); // what is still wrong is the caller's to know
  }
}

/** As much as can be known of a text that is still coming; {} where that is nothing. */
export function parseStreamingJson(text) {
  const trimmed = text?.trim();
  if (!trimmed) return {};
  try {
    return parseJsonWithRepair(trimmed);
  } catch {
    return partial({ text: repairJson(trimmed), at: 0 }) ?? {}; // not whole yet
  }
}

function skip(reader) {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at++;
}

function partial(reader) {
  skip(reader);
  const first = reader.text[reader.at];
  if (first === "{") return partialObject(reader);
  if (first === "[") return partialArray(reader);
  return first === '"' ? partialText(reader).value : partialWord(reader);
}

function partialText(reader) {
  const found = /^"((?:[^"\\]|\\.)*)("?)/s.exec(reader.text.slice(reader.at));
  reader.at += found[0].length;
  const whole = found[1].replace(/\\(?:u[\da-fA-F]{0,3})?$/, (end) => (/\\\\$/.test(found[1]) ? end : ""));
  return { value: JSON.parse(`"${whole}"`), isWhole: found[2] === '"' };
}

function partialWord(reader) {
  const word = /^[^,\]}\s]*/.exec(reader.text.slice(reader.at))[0];
  reader.at += word.length;
  const literal = [["true", true], ["false", false], ["null", null]].find(([name]) => word && name.startsWith(word));
  if (literal) return literal[1];
  const number = Number.parseFloat(word);
  return Number.isNaN(number) ? undefined : number;
}

function partialArray(reader) {
  const items = [];
  for (reader.at++, skip(reader); reader.at < reader.text.length && reader.text[reader.at] !== "]"; skip(reader)) {
    const before = reader.at;
    const value = partial(reader);
    if (value !== undefined) items.push(value);
    skip(reader);
    if (reader.text[reader.at] === ",") reader.at++;
    if (reader.at === before) break;
  }
  reader.at++;
  return items;
}

function partialObject(reader) {
  const found = {};
  for (reader.at++, skip(reader); reader.text[reader.at] === '"'; skip(reader)) {
    const { value: key, isWhole } = partialText(reader);
    skip(reader);
    if (!isWhole || reader.text[reader.at] !== ":") break;
    reader.at++;
    const value = partial(reader);
    if (value !== undefined) found[key] = value;
    skip(reader);
    if (reader.text[reader.at] === ",") reader.at++;
  }
  reader.at++;
  return found;
}
