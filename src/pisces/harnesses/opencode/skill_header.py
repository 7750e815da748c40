"""A skill's header as OpenCode reads it (seen by running it, November 2026).

Where it is not valid YAML, values with a colon are read as texts, if their key has no dash; nothing else is repaired.
"""

from __future__ import annotations

import re

from pisces.discovery.skill_headers import SkillHeader
from pisces.formats import yaml
from pisces.formats.malformed import Malformed

_FIELD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*:\s*(.*)")
_HEADER = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---", re.DOTALL)


def skill_header(text: str) -> SkillHeader:
    found = _HEADER.match(text.removeprefix("\ufeff"))
    if found is None:
        return SkillHeader({}, "the file does not start with a `---` header")
    source = found[1].replace("\r\n", "\n")
    fields = _parsed(source)
    if fields is None:
        fields = _parsed("\n".join(map(_as_text, source.split("\n"))))
    if not isinstance(fields, dict):
        return SkillHeader({}, "the header is not valid YAML")
    name, description = fields.get("name"), fields.get("description", "")
    if not isinstance(name, str) or not isinstance(description, str):
        return SkillHeader({}, f"`{'description' if isinstance(name, str) else 'name'}` must be text")
    return SkillHeader(fields, "", name.strip(), description.strip(), source.count("\n") + 4)


def _parsed(source: str) -> object:
    try:
        return yaml.parse(source)
    except Malformed:
        return None


def _as_text(line: str) -> str:
    field = _FIELD.fullmatch(line)
    value = field[2].strip() if field else ""
    if field is None or ":" not in value or value[0] in "\"'":
        return line
    return f"{field[1]}: |-\n  {value}"
