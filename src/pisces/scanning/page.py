"""One entry of the scanned folder: its text, lines and words, and what its parts are used for."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cached_property

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Rule
from pisces.formats import jsonc
from pisces.formats.frontmatter import Frontmatter, split
from pisces.formats.malformed import Malformed
from pisces.scanning.contexts import CODE, RUNS, Contexts, line_at
from pisces.scanning.known_files import KnownFiles
from pisces.scanning.roles import SOURCE
from pisces.scanning.words import NearWords, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.act import Act

TEXT = "text"
BINARY = "binary"
LINK = "link"
SPECIAL = "special"  # a named pipe, a socket or a device: never opened
UNREAD = "unread"

_RANK = {ERROR: 2, WARNING: 1, NOTE: 0}
_ALLOWED = {RUNS: ERROR, CODE: WARNING}
_ASCII = bytes(range(128))
_WORDS_ONLY = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_LINE_END = re.compile("\n")


class Page:
    """`name` is the path below the scanned folder, with `/`; `role` says who reads the file (see `roles`).

    `started` says who starts the file; empty where nobody is known to. `is_hook` means that a hook does. A file
    that `is_loaded` is in the inventory of a package; `acts` are those that it declares. `is_reference` means that a
    prompt sends the agent to it.
    """

    def __init__(self, folder: str, name: str, known: KnownFiles, *, why: str = "") -> None:
        self.folder = folder
        self.name = name
        self.path = os.path.join(folder, *name.split("/")) if name else folder
        self.known = known
        self.kind = UNREAD
        self.why = why
        self.size = 0
        self.data = b""
        self.is_recoded = False
        self.is_emptied = False
        self.text = ""
        self.lowered = ""
        self.role = ""
        self.started = ""
        self.is_hook = False
        self.is_loaded = False
        self.is_reference = False
        self.acts: tuple[Act, ...] = ()

    @property
    def base(self) -> str:
        return self.name.rpartition("/")[2]

    @cached_property
    def json(self) -> Any:
        """The value of a JSON file, in which comments are allowed; None if it cannot be parsed."""
        try:
            return jsonc.parse_lenient(self.text)
        except (Malformed, RecursionError):
            return None

    @cached_property
    def header(self) -> Frontmatter | None:
        """The YAML header of a prompt."""
        return split(self.text.removeprefix("\ufeff"))

    @cached_property
    def odd(self) -> set[str]:
        """The characters beyond ASCII, each once. Deleting ASCII bytes first makes this cheap."""
        return set(self._utf8.translate(None, _ASCII).decode("utf-8", "replace"))

    @cached_property
    def tokens(self) -> frozenset[bytes]:
        """Every word of letters and digits, in lower case, and the stems of these. One pass for all detectors."""
        plain = self._utf8
        if b"\\" in plain:  # an escaped line end may touch the next word
            plain = plain.replace(b"\\n", b"  ").replace(b"\\t", b"  ").replace(b"\\r", b"  ")
        found = frozenset(plain.translate(_WORDS_ONLY).split())
        return found.union([stem(each) for each in found])

    @property
    def _utf8(self) -> bytes:
        return self.text.encode("utf-8", "surrogatepass") if self.is_recoded else self.data

    @cached_property
    def _known_starts(self) -> dict[str, list[int]]:
        return {}

    @cached_property
    def _unbroken(self) -> str:
        """In one line: a text breaks its lines between any two words."""
        return self.lowered.replace("\n", " ")

    def _starts(self, word: str) -> list[int]:
        """Where a word begins. Many patterns are searched near the same words."""
        known = self._known_starts.get(word)
        if known is None:
            text = self._unbroken if " " in word else self.lowered
            known = self._known_starts[word] = list(_occurrences(text, word))
        return known

    def near(self, words: NearWords, before: int, after: int) -> Iterator[tuple[int, int]]:
        """Ranges of the text near words, in order; ranges that touch are merged.

        Patterns look only there, so that a page costs what is suspicious in it, not what it weighs.
        """
        if words.keys is not None and words.keys.isdisjoint(self.tokens):
            return
        tokens = self.tokens
        starts = sorted(at for word in words if word.tokens <= tokens for at in self._starts(word.text))
        begin, end = 0, -1
        for at in starts:
            if at - before > end:
                if end >= 0:
                    yield begin, end
                begin = max(0, at - before)
            end = at + after
        if end >= 0:
            yield begin, end

    def matches(
        self, patterns: tuple[re.Pattern[str], ...], words: NearWords, *, before: int = 100, after: int = 700
    ) -> Iterator[re.Match[str]]:
        """Matches of the patterns near the words, in order; of overlapping matches, the first."""
        if words.keys is not None and words.keys.isdisjoint(self.tokens):
            return  # as for most, before anything is made for it
        for begin, end in self.near(words, before, after):
            found = [each for pattern in patterns for each in pattern.finditer(self.text, begin, end)]
            last = -1
            for each in sorted(found, key=_start):
                if each.start() >= last:
                    last = each.end()
                    yield each

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        starts = self._line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, place: tuple[int, int]) -> int:
        """Of a line and a column; 0 where there is no such line."""
        line, column = place
        starts = self._line_starts
        return starts[line - 1] + column - 1 if 1 <= line <= len(starts) else 0

    def line(self, number: int) -> str:
        """The text of one line, without its end."""
        starts = self._line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")

    def line_with(self, offset: int) -> str:
        """The line at an offset; of a long line, the part near it."""
        return line_at(self.text, offset)[0]

    def finding(self, rule: Rule, offset: int, message: str, *, hint: str = "") -> Diagnostic:
        """A diagnostic with the severity of its rule."""
        return rule.at(self.path, message, place=self.place(offset), hint=hint)

    def weighed(self, rule: Rule, offset: int, message: str, *, hint: str = "") -> Diagnostic:
        """A diagnostic with the severity of its rule where the text runs, and a lower one where it is only read."""
        return self.finding(rule, offset, message, hint=hint).replace(severity=self.severity(rule, offset))

    def weighed_in_program(self, rule: Rule, offset: int, message: str, *, hint: str = "") -> Diagnostic:
        """As `weighed`, for what no program does by accident: it counts in a program that nobody is seen to start."""
        finding = self.weighed(rule, offset, message, hint=hint)
        is_program = self.role == SOURCE and finding.severity != NOTE
        return finding.replace(severity=rule.severity) if is_program else finding

    def severity(self, rule: Rule, offset: int) -> str:
        """The lower of what the context allows and what the rule says."""
        return min(_ALLOWED.get(self.context(offset), NOTE), rule.severity, key=_RANK.__getitem__)

    def context(self, offset: int) -> str:
        return self._contexts.at(offset)

    def fence(self, offset: int) -> str | None:
        """The language of the fenced block at an offset; None outside of blocks."""
        return self._contexts.fence_at(offset)

    def block(self, offset: int) -> tuple[int, int, str] | None:
        """Begin, end and language of the fenced block of a prompt at an offset; None outside of blocks."""
        return self._contexts.block_at(offset)

    @cached_property
    def _contexts(self) -> Contexts:
        return Contexts(self.role, self.text, self.name, self.started)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.text))]


def page_of_text(above: Page, text: str, name: str, role: str) -> Page:
    """A text that is in no file, or another spelling of one, in the place of a page."""
    page = Page(above.folder, name, above.known)
    page.kind, page.text, page.role = TEXT, text, role
    page.started, page.is_hook = above.started, above.is_hook
    page.data, page.lowered = text.encode("utf-8", "surrogatepass"), lowered(text)
    return page


def lowered(text: str) -> str:
    """In lower case and of the same length, so that offsets are the same in both."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_LOWER)


def _start(found: re.Match[str]) -> int:
    return found.start()


def _occurrences(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def excerpt(text: str, most: int = 80) -> str:
    """A part of a page for a message: one line of limited length, without backticks."""
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= most else line[: most - 1] + "…"
