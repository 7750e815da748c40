"""A skill's header as Codex reads it (its source, August 2026).

Values with an unquoted colon, and values that begin like a list and are none, are read as if they were quoted. A name
has at most 64 characters; a description must be there and may be of any length. Both may be numbers, dates and so on.
"""

from __future__ import annotations

from pisces.discovery.skill_headers import SkillHeader
from pisces.formats import yaml
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

_LONGEST_NAME = 64
_TEXTS = ("name", "description")


def header_flaw(text: str) -> str:
    """Why Codex does not load the skill, or nothing."""
    return skill_header(text).flaw


def skill_header(text: str) -> SkillHeader:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    ends = [index for index, line in enumerate(lines) if index and line.strip() == "---"]
    if lines[0].strip() != "---" or not ends or ends[0] == 1:
        return SkillHeader({}, "the file does not start with a `---` header")
    source = "\n".join(lines[1 : ends[0]])
    found = _read(source)
    if found.flaw:
        found = _read("\n".join(_repaired(source)))
    return found.replace(body_line=ends[0] + 2)


def _read(source: str) -> SkillHeader:
    """What is no list and no object is a text, as it is written."""
    try:
        parsed = yaml.parse(source)
    except Malformed:
        return SkillHeader({}, "the header is not valid YAML")
    fields = parsed if isinstance(parsed, dict) else {}
    for key in _TEXTS:
        if isinstance(fields.get(key), dict | list):
            return SkillHeader({}, f"`{key}` must be text")
        if not isinstance(fields.get(key), str | None):
            fields[key] = _written(key, source) or str(fields[key])
    if not isinstance(fields.get("metadata", {}), dict) and _written("metadata", source):
        return SkillHeader({}, "`metadata` must be an object")
    name, description = (" ".join((fields.get(key) or "").split()) for key in _TEXTS)
    flaw = f"`name` has more than {_LONGEST_NAME} characters" if len(name) > _LONGEST_NAME else ""
    return SkillHeader(fields, flaw or ("" if description else "the header has no `description`"), name, description)


def _written(key: str, source: str) -> str:
    """The text behind a key, up to a comment; what begins on the next line, too."""
    _, found, rest = f"\n{source}".partition(f"\n{key}:")
    first, _, more = rest.partition("\n")
    text = _without_comment(first.strip())[0]
    return text or (more.strip() if found and more[:1] in (" ", "-") else "")


def _repaired(header: str) -> list[str]:
    """The lines with odd values quoted; the lines of a block text stay as they are."""
    lines: list[str] = []
    block: int | None = None
    for line in header.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (not line.strip() or indent > block):
            lines.append(line)
            continue
        key, colon, value = line.partition(":")
        scalar, comment = _without_comment(value.strip())
        block = indent if scalar[:1] in ("|", ">") else None
        is_pair = bool(colon and key.strip()) and (not value or value[0].isspace())
        odd = is_pair and block is None and _needs_quotes(scalar)
        lines.append(f"{key}: '{scalar.replace(chr(39), chr(39) * 2)}'{comment}" if odd else line)
    return lines


def _without_comment(value: str) -> tuple[str, str]:
    at = 0 if value.startswith("#") else value.find(" #")
    return (value[:at].rstrip(), f" {value[at:].strip()}") if at >= 0 else (value, "")


def _needs_quotes(scalar: str) -> bool:
    if not scalar or scalar[0] in "'\"":
        return False
    if ": " in scalar or ":\t" in scalar:
        return True
    return scalar[0] in "[{@`" and not _is_yaml(scalar)


def _is_yaml(text: str) -> bool:
    try:
        yaml.parse(text)
    except Malformed:
        return False
    return True
