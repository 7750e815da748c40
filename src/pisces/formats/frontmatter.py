"""The YAML header of a Markdown file, found exactly as Gemini CLI finds it.

The file starts with a line `---`, the header ends before the first later line that starts with `---`, and there is a
body only if nothing else stands on that line: `^---\\r?\\n([\\s\\S]*?)\\r?\\n---(?:\\r?\\n([\\s\\S]*))?` in JavaScript.
"""

from __future__ import annotations

from pisces.value import Value

# What JavaScript's `\s` and `trim()` take for blank; Python's differs in both directions.
_BLANK = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_LINE_ENDS = "\r\u2028\u2029"  # JavaScript's `.` stops at these; `\n` has been split at already


FIRST_LINE = 2  # of the header in its file


class Frontmatter(Value):
    """`first_line` is the line of the file, counted from 1, on which the header starts."""

    header: str
    body: str
    first_line: int


def split(text: str) -> Frontmatter | None:
    """The header and the body, or None if the text has no header."""
    if text.startswith("---\n"):
        start = 4
    elif text.startswith("---\r\n"):
        start = 5
    else:
        return None
    end = text.find("\n---", start)
    if end < 0:
        return None
    header_end = end - 1 if end > start and text[end - 1] == "\r" else end
    return Frontmatter(text[start:header_end], _body(text, end + 4), FIRST_LINE)


def header_of(data: bytes) -> str | None:
    """The header alone, of a file whose body may be long and is of no interest: only the header is decoded."""
    start = 4 if data.startswith(b"---\n") else 5 if data.startswith(b"---\r\n") else 0
    end = data.find(b"\n---", start) if start else -1
    if end < 0:
        return None
    header_end = end - 1 if end > start and data[end - 1 : end] == b"\r" else end
    return data[start:header_end].decode("utf-8", "replace")


def _body(text: str, after: int) -> str:
    if text.startswith("\n", after):
        return text[after + 1 :]
    if text.startswith("\r\n", after):
        return text[after + 2 :]
    return ""


def simple_fields(header: str) -> dict[str, str]:
    """What Gemini's second attempt reads from a header that is not valid YAML: `name:` and `description:`, by line.

    The last of each counts. Indented lines after a description belong to it, unless they hold nothing.
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
                parts.append(lines[at].strip(_BLANK))
                at += 1
            fields["description"] = " ".join(filter(None, parts))
    return fields


def _text_after(label: str, line: str) -> str | None:
    """The rest of a line that starts with the label, or None."""
    line = line.lstrip(_BLANK)
    if not line.startswith(label):
        return None
    rest = line[len(label) :].lstrip(_BLANK)
    return None if any(end in rest for end in _LINE_ENDS) else rest.rstrip(_BLANK)


def _is_indented(line: str) -> bool:
    rest = line.lstrip(" \t")
    return len(rest) < len(line) and rest[:1] not in _BLANK
