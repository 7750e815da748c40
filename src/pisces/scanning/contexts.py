"""What happens with the text at one place of a file: it runs, an agent sees it as code, or it is only read.

The same `curl ... | sh` is an attack in a hook and a remark in a readme; the weight of a finding comes from here.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from pisces.scanning.quiet import comment_of, is_comment, is_printed, is_warned_of
from pisces.scanning.roles import CONFIG, PROMPT, SHELL, SOURCE

RUNS = "runs"  # by itself, when the package is used
CODE = "code"  # shown to an agent as code, or inside a program
READ = "read"  # prose, comments, messages

_FENCE = re.compile(r"^[ \t>]{0,12}(`{3,9}|~{3,9})([^\n`]{0,80})", re.M)
_QUIET_FENCES = ("text", "txt", "markdown", "md", "diff", "output", "mermaid", "json", "yaml", "toml", "xml", "html")
_RUN_KEY = re.compile(r'"(?:command|bash|powershell|run|windows|linux|osx)"\s{0,99}:\s{0,99}"')
_SCRIPT_KEY = re.compile(r'"(?:(?:pre|post)?install|prepare)"\s{0,99}:\s{0,99}"')
_ARGS_KEY = re.compile(r'"args"\s{0,99}:\s{0,99}\[')
_QUOTE = re.compile(r'(?<!\\)"')
_LAUNCHES = re.compile(r'"(?:hooks|mcpServers|servers|mcp)"\s{0,99}:\s{0,99}\{')
_SCRIPTS = re.compile(r'"scripts"\s{0,99}:\s{0,99}\{')
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]{0,200}\S")
_ITEM = re.compile(r"[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t]|[ \t]{2,40}\S")
_ABOVE = 2000
_SIDE = 200


class Contexts:
    """The contexts of one file. Fences and keys are found once, and only for files with something to report."""

    __slots__ = ("_comments", "_fences", "_keys", "_role", "_runs", "_text")

    def __init__(self, role: str, text: str, name: str, started_by: str) -> None:
        self._role = role
        self._runs = bool(started_by) or role == SHELL
        self._comments = comment_of(name)
        self._text = text
        self._fences = _fences(text) if role == PROMPT else []
        started = ((_LAUNCHES, _RUN_KEY), (_LAUNCHES, _ARGS_KEY), (_SCRIPTS, _SCRIPT_KEY))
        self._keys = [key for sign, key in started if role == CONFIG and sign.search(text)]

    def at(self, offset: int) -> str:
        if self._role in (SHELL, SOURCE):
            return self._in_program(offset)
        if self._role == PROMPT:
            return self._in_prompt(offset)
        return RUNS if any(_is_value_of(key, self._text, offset) for key in self._keys) else READ

    def _in_program(self, offset: int) -> str:
        line, column = line_at(self._text, offset)
        if is_comment(line, column, self._comments) or is_printed(line, column):
            return READ
        return RUNS if self._runs else CODE

    def _in_prompt(self, offset: int) -> str:
        if _is_injected(self._text, offset):
            return RUNS
        line, column = line_at(self._text, offset)
        if is_warned_of(line, column):
            return READ
        language = self._language_at(offset)
        if language is not None:
            return READ if language in _QUIET_FENCES or is_comment(line, column, "any") else CODE
        is_code = line.count("`", 0, column) % 2 or (line[:1] in " \t" and is_indented_code(self._text, offset))
        return CODE if is_code else READ

    def fence_at(self, offset: int) -> str | None:
        """The language of the fenced block of a prompt at an offset; None outside of blocks."""
        return self._language_at(offset) if self._role == PROMPT else None

    def block_at(self, offset: int) -> tuple[int, int, str] | None:
        """Begin, end and language of the fenced block at an offset; None outside of blocks."""
        before = bisect_right(self._fences, (offset, "\U0010ffff"))
        if not before % 2:
            return None
        begin, language = self._fences[before - 1]
        return begin, self._fences[before][0] if before < len(self._fences) else len(self._text), language

    def _language_at(self, offset: int) -> str | None:
        """The language of the fenced block that an offset is in."""
        before = bisect_right(self._fences, (offset, "\U0010ffff"))
        return self._fences[before - 1][1] if before % 2 else None


def _fences(text: str) -> list[tuple[int, str]]:
    """Where fenced blocks begin, with their language, and where they end, alternating."""
    found: list[tuple[int, str]] = []
    mark = ""
    for fence in _FENCE.finditer(text):
        if not mark:
            mark = fence[1]
            found.append((fence.start(), fence[2].strip().lower()))
        elif fence[1].startswith(mark) and not fence[2].strip():
            mark = ""
            found.append((fence.start(), ""))
    return found


def line_at(text: str, offset: int) -> tuple[str, int]:
    """The line, at most 200 characters to each side, and where the offset is in it."""
    start = text.rfind("\n", max(0, offset - _SIDE), offset) + 1 or max(0, offset - _SIDE)
    end = text.find("\n", offset, offset + _SIDE)
    return text[start : end if end >= 0 else offset + _SIDE], offset - start


def is_indented_code(text: str, offset: int) -> bool:
    """Whether a line is a block of code by its indentation: below an empty line, and in no list."""
    start = text.rfind("\n", 0, offset) + 1
    if not _INDENTED.match(text, start):
        return False
    above = text[max(0, start - _ABOVE) : start].split("\n")[:-1]
    while above and _INDENTED.match(above[-1]):
        above.pop()
    if not above or above.pop().strip():
        return False
    return not _ITEM.match(next((line for line in reversed(above) if line.strip()), ""))


def _is_injected(text: str, offset: int) -> bool:
    """Inside `!{...}` or !`...`: a harness runs it before the agent sees the prompt."""
    brace = text.rfind("!{", max(0, offset - 2000), offset)
    if brace >= 0:
        between = text[brace + 1 : offset]
        if between.count("{") > between.count("}"):
            return True
    tick = text.rfind("!`", max(0, offset - _SIDE), offset)
    return tick >= 0 and not {"`", "\n"} & set(text[tick + 2 : offset])


def _is_value_of(key: re.Pattern[str], text: str, offset: int) -> bool:
    """In JSON, inside the text or the list that follows a key."""
    before = text[max(0, offset - 4000) : offset]
    ends = [found.end() for found in key.finditer(before)]
    if not ends:
        return False
    return "]" not in before[ends[-1] :] if key is _ARGS_KEY else _QUOTE.search(before, ends[-1]) is None
