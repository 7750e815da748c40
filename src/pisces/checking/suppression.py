"""Comments that suppress diagnostics: `# pisces: ignore[CODE]`, and in Markdown `<!-- pisces: ignore[CODE] -->`.

A comment behind something covers its own line. A comment on a line of its own covers that line and the next one that
has something else on it. Both cover what is said of the file as a whole, and `ignore-file` covers everything in it.
JSON has no comments.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.formats.frontmatter import split
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Comments = Iterator[tuple[int, int]]  # offsets of whole comments, with their marks

SUPPRESSION_BROKEN = Rule("suppression-broken", WARNING, "A comment that is meant to suppress something names nothing")

_WORDS = re.compile(r"(?:#|<!--)[ \t]*pisces:[ \t]*(ignore-file|ignore)\b[ \t]*(?:\[([^\[\]\n]*)\])?")
_MARK = "pisces:"
_TOML = re.compile(
    r'"""[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)(?:"""|\Z)'
    r"|'''(?>(?:[^']|'(?!''))*)(?:'''|\Z)"
    r'|"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"?'
    r"|'[^'\n]*+'?"
    r"|(?P<comment>#[^\n]*)",
    re.DOTALL,
)
_BLOCK = re.compile(r"(?:^|[:\-][ \t]+)[|>][+\-0-9]*[ \t]*(?:[ \t]#.*)?$")
_QUOTED = re.compile(r"(?:^|[:\-,\[{][ \t]*)(\"[^\"\\]*+(?>(?:\\.[^\"\\]*+)*)\"?|'[^']*+'?)")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")


class Suppression(Value):
    """One comment. `lines` are those that it covers, `whole` says that it covers the file.

    `old` is the text that goes when the comment does, with its line where it is alone on it; it begins at `start`.
    `folder` is that of the target that the file belongs to.
    """

    path: str
    folder: str
    line: int
    column: int
    codes: tuple[str, ...]
    lines: tuple[int, ...]
    whole: bool
    start: int
    old: str


def suppressions_in(path: str, folder: str, text: str) -> list[Suppression | Diagnostic]:
    """The comments of a file, in order; one that names no code is a diagnostic."""
    if _MARK not in text:
        return []
    found: list[Suppression | Diagnostic] = []
    lines = _Lines(text)
    for start, end in _comments(path, text):
        words = _WORDS.match(text, start, end)
        if words:
            read = _read(path, words, (start, end), lines)
            found.append(read.replace(folder=folder) if isinstance(read, Suppression) else read)
    return found


def _read(path: str, words: re.Match[str], span: tuple[int, int], lines: _Lines) -> Suppression | Diagnostic:
    line, column = lines.place(span[0])
    codes = tuple(dict.fromkeys(code.strip() for code in (words[2] or "").split(",") if code.strip()))
    if not codes:
        hint = f"name what to suppress: `pisces: {words[1]}[CODE]`"
        return SUPPRESSION_BROKEN.at(path, "the comment names no code", place=(line, column), hint=hint)
    is_whole = words[1] == "ignore-file"
    return Suppression(path, "", line, column, codes, lines.covered(*span), is_whole, *lines.removable(*span))


class _Lines:
    """The lines of a text, to know what else is on the line of a comment and on the next ones."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._next: list[int] = []

    def place(self, offset: int) -> tuple[int, int]:
        line = self._number(offset)
        return line, offset - self._starts[line - 1] + 1

    def _number(self, offset: int) -> int:
        low, high = 0, len(self._starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._starts[middle] <= offset else (low, middle)
        return low + 1

    def _line(self, number: int) -> str:
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        return self._text[self._starts[number - 1] : end]

    def covered(self, start: int, end: int) -> tuple[int, ...]:
        first = self._number(start)
        line = self._line(first)
        rest = line[: start - self._starts[first - 1]] + line[end - self._starts[first - 1] :]
        if rest.strip():
            return (first,)
        return first, self._following(first + 1)

    def _following(self, number: int) -> int:
        """The first line from here on that has something else than such a comment on it."""
        if not self._next:
            following = [len(self._starts)] * (len(self._starts) + 2)
            for each in range(len(self._starts), 0, -1):
                following[each] = following[each + 1] if self._is_skipped(self._line(each)) else each
            self._next = following
        return self._next[number]

    def removable(self, start: int, end: int) -> tuple[int, str]:
        """What goes with a comment: its line where nothing else is on it, the blanks before it, or nothing more."""
        first = self._starts[self._number(start) - 1]
        before, line = self._text[first:start], self._line(self._number(start))
        if not before.strip() and not line[end - first :].strip():
            return first, line
        at = first + len(before.rstrip()) if not line[end - first :].strip() else start
        return at, self._text[at:end]

    def _is_skipped(self, line: str) -> bool:
        return not line.strip() or _WORDS.match(line.strip()) is not None


def _comments(path: str, text: str) -> Comments:
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".toml":
        return _toml_comments(text)
    if suffix in (".yaml", ".yml"):
        return _yaml_comments(text, 0, len(text))
    return _markdown_comments(text) if suffix in (".md", ".mdc") else iter(())


def _toml_comments(text: str) -> Comments:
    for found in _TOML.finditer(text):
        if found["comment"]:
            yield found.start(), found.start() + len(found["comment"].rstrip())


def _markdown_comments(text: str) -> Comments:
    start = len(text) - len(text.removeprefix("\ufeff"))
    header = split(text[start:])
    if header is None:
        yield from _html_comments(text, start)
        return
    first = text.index("\n", start) + 1
    yield from _yaml_comments(text, first, first + len(header.header))
    yield from _html_comments(text, first + len(header.header))


def _yaml_comments(text: str, start: int, end: int) -> Comments:
    """Line by line; texts of several lines behind `|` and `>` have no comments in them."""
    block = -1  # the indentation of the key whose text we are in
    for line in text[start:end].splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(" "))
        if block >= 0 and line.strip() and indent <= block:
            block = -1
        if block < 0:
            at = _comment_in(line) if _MARK in line else -1
            if at >= 0:
                yield start + at, start + len(line.rstrip())
            if _BLOCK.search(line.rstrip()):
                block = indent
        start += len(line)


def _comment_in(line: str) -> int:
    """Where a comment begins that is in no quotes; -1 without one."""
    quoted = [found.span(1) for found in _QUOTED.finditer(line)]
    at = line.find("#")
    while at >= 0:
        is_start = at == 0 or line[at - 1] in " \t"
        if is_start and not any(first <= at < last for first, last in quoted):
            return at
        at = line.find("#", at + 1)
    return -1


def _html_comments(text: str, start: int) -> Comments:
    """Those of one line, outside of fences and of code between backticks."""
    fence = ""
    for line in text[start:].splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif not fence and _MARK in line:
            yield from ((start + first, start + last) for first, last in _html_in(line))
        start += len(line)


def _html_in(line: str) -> Comments:
    at = line.find("<!--")
    while at >= 0:
        end = line.find("-->", at)
        if end < 0:
            return
        if line.count("`", 0, at) % 2 == 0:
            yield at, end + 3
        at = line.find("<!--", end)
