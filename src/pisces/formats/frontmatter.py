"""The YAML header of a Markdown file, found exactly as Gemini CLI finds it.

The file starts with a line `---`, the header ends before the first later line that starts with `---`, and there is a
body only if nothing else stands on that line: `^---\\r?\\n([\\s\\S]*?)\\r?\\n---(?:\\r?\\n([\\s\\S]*))?` in JavaScript.
"""

from __future__ import annotations

from pisces.formats.js_text import BLANKS
from pisces.value import Value

_LINE_ENDS = "\r\u2028\u2029"  # where JavaScript's `.` stops, besides `\n`


FIRST_LINE = 2  # of the header in its file


class Frontmatter(Value):
    """`first_line` is the 1-based line of the file on which the header starts."""

    header: str
    body: str
    first_line: int


def split(text: str) -> Frontmatter | None:
    """The header and the body, or None if the text has no header."""
    start = 4 if text.startswith("---\n") else 5 if text.startswith("---\r\n") else 0
    end = text.find("\n---", start) if start else -1
    if end < 0:
        return None
    header_end = end - 1 if end > start and text[end - 1] == "\r" else end
    return Frontmatter(text[start:header_end], _body(text, end + 4), FIRST_LINE)


def header_of(data: bytes) -> str | None:
    """The header alone. A long body is not decoded."""
    start = 4 if data.startswith(b"---\n") else 5 if data.startswith(b"---\r\n") else 0
    end = data.find(b"\n---", start) if start else -1
    if end < 0:
        return None
    header_end = end - 1 if end > start and data[end - 1 : end] == b"\r" else end
    return data[start:header_end].decode("utf-8", "replace")


def body_line(header: str) -> int:
    """The line after the one that closes a header."""
    return header.count("\n") + 4


def _body(text: str, after: int) -> str:
    if text.startswith("\n", after):
        return text[after + 1 :]
    if text.startswith("\r\n", after):
        return text[after + 2 :]
    return ""


def simple_fields(header: str) -> dict[str, str]:
    """Gemini's fallback for a header that is not valid YAML: `name:` and `description:`, line by line.

    The last of each counts. Indented lines that are not blank continue a description.
    """
    fields: dict[str, str] = {}
    lines = header.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        name = _text_after("name:", lines[at])
        description = None if name is not None else _text_after("description:", lines[at])
        at += 1
        if name is not None:
            fields["name"] = name
        elif description is not None:
            parts = [description]
            while at < len(lines) and _is_indented(lines[at]):
                parts.append(lines[at].strip(BLANKS))
                at += 1
            fields["description"] = " ".join(filter(None, parts))
    return fields


def _text_after(label: str, line: str) -> str | None:
    """The rest of a line that starts with the label, or None."""
    line = line.lstrip(BLANKS)
    if not line.startswith(label):
        return None
    rest = line[len(label) :].lstrip(BLANKS)
    return None if any(end in rest for end in _LINE_ENDS) else rest.rstrip(BLANKS)


def _is_indented(line: str) -> bool:
    rest = line.lstrip(" \t")
    return len(rest) < len(line) and rest[:1] not in BLANKS
