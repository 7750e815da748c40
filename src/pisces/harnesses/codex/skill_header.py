"""A skill's header as Codex reads it (its source, August 2026).

Values with an unquoted colon, and values that begin like a list and are none, are read as if they were quoted. A name
has at most 64 characters; a description must be there and may be of any length.
"""

from __future__ import annotations

from pisces.formats import yaml
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST_NAME = 64


def header_flaw(text: str) -> str:
    """Why Codex does not load the skill, or nothing."""
    lines = text.splitlines()
    ends = [index for index, line in enumerate(lines) if index and line.strip() == "---"]
    if not lines or lines[0].strip() != "---" or not ends or ends[0] == 1:
        return "the file does not start with a `---` header"
    fields = _fields("\n".join(lines[1 : ends[0]]))
    if fields is None:
        return "the header is not valid YAML"
    for field in ("name", "description"):
        if not isinstance(fields.get(field), str | None):
            return f"`{field}` must be text"
    if len(" ".join((fields.get("name") or "").split())) > _LONGEST_NAME:
        return f"`name` has more than {_LONGEST_NAME} characters"
    return "" if (fields.get("description") or "").strip() else "the header has no `description`"


def _fields(header: str) -> dict[str, Any] | None:
    for text in (header, "\n".join(_repaired(header))):
        try:
            parsed = yaml.parse(text)
        except Malformed:
            continue
        return parsed if isinstance(parsed, dict) else None
    return None


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
