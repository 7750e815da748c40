"""The prose of a Markdown text: what is left without code, HTML and comments, paragraph by paragraph.

An approximation of a Markdown reader that is linear in the text: fences, indented code, code spans, blocks of HTML.
"""

from __future__ import annotations

import re

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"[ \t>]*(?P<fence>`{3,}(?=[^`]*\Z)|~{3,})")
_ITEM = re.compile(r"[ \t>]*(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\Z)")
_BLOCK_TAGS = (
    "address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|"
    "figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|"
    "meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_HTML = re.compile(rf" {{0,3}}</?(?:{_BLOCK_TAGS})(?=[\s/>]|\Z)", re.IGNORECASE)
_LONE_TAG = re.compile(r" {0,3}</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>\s*\Z")
_RAW = re.compile(r" {0,3}<(?P<tag>script|pre|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TICKS = re.compile(r"`+")


class Paragraph(Value):
    """`text` is without code spans, comments and tags. `raw` still has them; `is_item` says that a list holds it."""

    text: str
    raw: str
    is_item: bool


def paragraphs(text: str) -> Iterator[Paragraph]:
    lines: list[str] = []
    is_item = False
    for line in _prose_lines(without_comments(text)):
        starts_item = _ITEM.match(line) is not None
        if lines and (not line or starts_item):
            yield _paragraph(lines, is_item=is_item)
            lines = []
        if line:
            is_item = starts_item or (is_item and bool(lines))
            lines.append(line)
    if lines:
        yield _paragraph(lines, is_item=is_item)


def without_comments(text: str) -> str:
    """Without the HTML comments that start a line outside of code, and without the rest of a line that is blank."""
    if "<!--" not in text:
        return text
    pieces: list[str] = []
    comment = ""
    for line, kind in _kinds(text):
        if kind == "comment":
            comment += line
            continue
        pieces += [_rest(comment), line]
        comment = ""
    return "".join((*pieces, _rest(comment)))


def _rest(comment: str) -> str:
    rest = _cut_out(comment, "<!--", "-->")
    return rest if rest.strip() else ""


def _paragraph(lines: list[str], *, is_item: bool) -> Paragraph:
    raw = "\n".join(lines)
    text = _TAG.sub(" ", _cut_out(_without_spans(raw), "<!--", "-->"))
    return Paragraph(text, raw, is_item)


def _prose_lines(text: str) -> Iterator[str]:
    """Each line of prose; an empty one for whatever ends a paragraph."""
    for line, kind in _kinds(text):
        yield line.rstrip("\r\n") if kind == "prose" else ""


def _kinds(text: str) -> Iterator[tuple[str, str]]:
    """Every line with its end, and what it is: prose, code, html or comment."""
    scan = _Scan()
    for line in text.splitlines(keepends=True):
        yield line, scan.kind(line)


class _Scan:
    """What the lines before say about the next one."""

    def __init__(self) -> None:
        self.end = ""  # what ends the block that we are in; a blank line ends one of "\n"
        self.inside = ""
        self.after_blank = True
        self.in_list = False

    def kind(self, line: str) -> str:
        if self.inside:
            return self._next(line)
        was_blank, self.after_blank = self.after_blank, not line.strip()
        if self.after_blank:
            return "prose"
        if _ITEM.match(line):
            self.in_list = True
        elif was_blank and line[0] not in " \t":
            self.in_list = False
        return self._starting(line, after_blank=was_blank)

    def _starting(self, line: str, *, after_blank: bool) -> str:
        fence = _FENCE.match(line.rstrip("\r\n"))
        raw = _RAW.match(line)
        if fence:
            self.inside, self.end = "code", fence["fence"]
        elif after_blank and not self.in_list and line.startswith(("    ", "\t")):
            self.after_blank = True  # so that the next line of the block is code too
            return "code"
        elif line.lstrip(" ").startswith("<!--"):
            return self._html(line, "comment", "-->")
        elif raw:
            return self._html(line, "html", f"</{raw['tag'].lower()}>")
        elif _HTML.match(line) or (after_blank and _LONE_TAG.match(line)):
            self.inside, self.end = "html", "\n"
        return self.inside or "prose"

    def _html(self, line: str, kind: str, end: str) -> str:
        if end not in line.lower():
            self.inside, self.end = kind, end
        return kind

    def _next(self, line: str) -> str:
        inside, text = self.inside, line.strip(" \t\r\n>")
        if inside == "code":
            is_last = text.startswith(self.end) and not text.strip(self.end[0])
        elif self.end == "\n":
            is_last = not line.strip()
        else:
            is_last = self.end in line.lower()
        if is_last:
            self.inside, self.after_blank = "", True
        return inside


def _without_spans(text: str) -> str:
    """Without code spans: runs of backticks that a later run of the same length closes."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    closing: dict[int, int] = {}
    later: dict[int, int] = {}
    for at in range(len(runs) - 1, -1, -1):
        length = runs[at][1] - runs[at][0]
        if length in later:
            closing[at] = later[length]
        later[length] = at
    pieces, last, at = [], 0, 0
    while at < len(runs):
        if at in closing:
            pieces.append(text[last : runs[at][0]])
            at = closing[at]
            last = runs[at][1]
        at += 1
    return " ".join((*pieces, text[last:]))


def _cut_out(text: str, start: str, end: str) -> str:
    pieces, last = [], 0
    while (first := text.find(start, last)) >= 0 and (after := text.find(end, first)) >= 0:
        pieces.append(text[last:first])
        last = after + len(end)
    return "".join((*pieces, text[last:]))
