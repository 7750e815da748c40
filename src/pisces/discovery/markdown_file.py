"""A Markdown file with a YAML header, as harnesses read commands, skills and subagents.

Claude Code tolerates headers that are not YAML: values with a stray `: ` or a leading special character are read as if
they had been quoted, and where that does not help the header counts as empty. Most others drop the file. `lenient`
readers get the item and a warning (a byte order mark is fine too), strict ones an error.
"""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.files import Unreadable, read_text
from pisces.formats import yaml
from pisces.formats.frontmatter import FIRST_LINE, Frontmatter, body_line, split
from pisces.formats.malformed import Malformed
from pisces.formats.yaml.scalars import Timestamp
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MARKDOWN_UNREADABLE = Rule("markdown-unreadable", ERROR, "A command, skill or subagent file cannot be read")
HEADER_NOT_YAML = Rule("header-not-yaml", WARNING, "A header that only a forgiving harness can read")
HEADER_BROKEN = Rule("header-broken", ERROR, "A header is not valid YAML")

QUOTE_HINT = "put the value in double quotes; pi and Gemini CLI subagents reject the file as it is"

_EMPTY_HEADER = re.compile(r"---[ \t]*\r?\n---[ \t]*(?:\r?\n|\Z)")
_BLANK_FENCES = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)  # with blanks behind them
_ENTRY = re.compile(r"\n(?=[A-Za-z_-]+:)")
_KEY = re.compile(r"[A-Za-z_-]+:")
_FIELD = re.compile(r"([A-Za-z_-]+):\s+(\S.*)")
_NEEDS_QUOTES = re.compile(r"[{}\[\]*&#!|>%@`]|: ")


class MarkdownFile(Value):
    """`fields` is empty where there is no header; `warning` says that the header was read leniently."""

    path: str
    fields: dict[str, Any]
    body: str
    header: Frontmatter | None = None
    warning: Diagnostic | None = None

    def text(self, *keys: str) -> str:
        """The first of these fields that holds a text, a number or a date, trimmed."""
        for key in keys:
            value = self.fields.get(key)
            if isinstance(value, str) and value.strip():
                return value.strip()
            if isinstance(value, int | float | Timestamp) and not isinstance(value, bool):
                return str(value)
        return ""

    def place(self, *keys: str | int) -> tuple[int, int]:
        """Where a field stands in the file; where its parent or the header does, if the field is not in it."""
        if self.header is None:
            return 1, 1
        if not keys or self.warning:
            return self.header.first_line, 1
        line, column = yaml.place_of(self.header.header, keys)
        return line + self.header.first_line - 1, column

    @property
    def body_line(self) -> int:
        return body_line(self.header.header) + self.header.first_line - FIRST_LINE if self.header else 1

    @property
    def first_line(self) -> str:
        """What stands for a missing description: the first line with text, without the marks of a heading."""
        for line in self.body.splitlines():
            if line.strip():
                return line.strip().lstrip("#").strip()
        return ""


def markdown_at(path: str, about: str, *, lenient: bool) -> MarkdownFile | Diagnostic:
    """The file's header and body, or why a harness makes nothing of it. `about` is the name its item would have."""
    try:
        text = read_text(path)
    except Unreadable as error:
        return MARKDOWN_UNREADABLE.at(path, f"the file {error.message}", about=about)
    return markdown_in(text, path, about, lenient=lenient)


def markdown_in(text: str, path: str, about: str, *, lenient: bool) -> MarkdownFile | Diagnostic:
    """The same of a text that was read already."""
    header = _lenient_split(text.removeprefix("\ufeff")) if lenient else split(text)
    if header is None:
        return MarkdownFile(path, {}, text)
    try:
        return MarkdownFile(path, _fields(yaml.parse(header.header)), header.body, header)
    except Malformed as error:
        place = (error.line + header.first_line - 1, error.column)
        message = f"the header is not valid YAML: {error.message}"
        if not lenient:
            return HEADER_BROKEN.at(path, message, place=place, hint="put the value in double quotes", about=about)
        warning = HEADER_NOT_YAML.at(path, message, place=place, hint=QUOTE_HINT, about=about)
        return MarkdownFile(path, _mended(header.header), header.body, header, warning)


def _lenient_split(text: str) -> Frontmatter | None:
    """Gemini CLI takes two lines `---` that follow each other for text; everybody else for an empty header."""
    empty = _EMPTY_HEADER.match(text)
    if empty:
        return Frontmatter("", text[empty.end() :], FIRST_LINE - 1)
    blank = _BLANK_FENCES.match(text) if "--- " in text or "---\t" in text else None
    return split(f"---\n{blank[1]}\n---\n{text[blank.end() :]}" if blank else text)


def _mended(header: str) -> dict[str, Any]:
    """The last of keys that stand twice, then odd values quoted; no fields at all where that does not help either."""
    single = _last_of_each(header)
    for text in (single, "\n".join(map(quoted_line, single.splitlines()))):
        try:
            return _fields(yaml.parse(text))
        except Malformed:
            continue
    return {}


def _last_of_each(header: str) -> str:
    """The header without entries whose key comes again further down, up to the line of the next key."""
    entries = _ENTRY.split(f"\n{header}")
    keys = [_KEY.match(entry) for entry in entries]
    last = {key[0]: index for index, key in enumerate(keys) if key}
    return "\n".join(
        entry for entry, key in zip(entries, keys, strict=True) if not key or entries[last[key[0]]] is entry
    )


def quoted_line(line: str) -> str:
    field = _FIELD.fullmatch(line.rstrip())
    if field is None or not _NEEDS_QUOTES.search(field[2]) or _is_quoted(field[2]):
        return line
    escaped = field[2].replace("\\", "\\\\").replace('"', '\\"')
    return f'{field[1]}: "{escaped}"'


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"


def _fields(parsed: object) -> dict[str, Any]:
    return parsed if isinstance(parsed, dict) else {}
