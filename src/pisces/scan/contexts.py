"""What becomes of the words at one place of a file: they run, an agent is shown them as code, or they are only read.

The same `curl ... | sh` is an attack in a hook and a remark in a readme; the weight of a finding comes from here.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from pisces.scan.roles import CONFIG, PROMPT, SHELL, SOURCE

RUNS = "runs"  # by itself, when the package is used
CODE = "code"  # shown to an agent as code, or inside a program
READ = "read"  # prose, comments, messages

_COMMENT = re.compile(r"\s{0,400}(?:#(?!!)|//|\*|/\*|<!--|;|--|rem\b|::|@?echo\b|printf\b|print\b|console\.\w{1,9}\()", re.I)
_MESSAGE = re.compile(r"(?:\becho|\bprintf|\bprint|console\.\w{1,9}|\bwarn|\binfo|\bdie|\berror|Write-Host)[ (]", re.I)
_WARNED = re.compile(
    r"\b(?:never|not|don'?t|avoid|dangerous|danger|block(?:s|ed)?|den(?:y|ies|ied)|forbid(?:den)?|unsafe|malicious|suspicious"
    r"|reject(?:s|ed)?|prohibited|flag(?:s|ged)?|attack(?:er)?s?|injection|exfiltrat\w{1,6}|vulnerab\w{1,9}|detect(?:s|ed)?"
    r"|refuse|risk\w{0,4}|bad|wrong|insecure|warn(?:ing)?|sensitive|protect(?:ed)?|redact\w{0,4})\b|❌|🚫|⛔",
    re.I,
)
_FENCE = re.compile(r"^[ \t>]{0,12}(`{3,9}|~{3,9})([^\n`]{0,80})", re.M)
_QUIET_FENCES = ("text", "txt", "markdown", "md", "diff", "output", "mermaid", "json", "yaml", "toml", "xml", "html")
_RUN_KEY = re.compile(
    r'"(?:command|bash|powershell|run|windows|linux|osx|(?:pre|post)?install|prepare)"\s{0,99}:\s{0,99}"', re.I
)
_ARGS_KEY = re.compile(r'"args"\s{0,99}:\s{0,99}\[')
_QUOTE = re.compile(r'(?<!\\)"')
_LAUNCHES = re.compile(r'"(?:hooks|mcpServers|servers|scripts|mcp)"')
_SIDE = 400


class Contexts:
    """Of one file. What it takes to answer is worked out once, and only for files with something to report."""

    __slots__ = ("_fences", "_launches", "_role", "_text")

    def __init__(self, role: str, text: str) -> None:
        self._role = role
        self._text = text
        self._fences = _fences(text) if role == PROMPT else []
        self._launches = role == CONFIG and bool(_LAUNCHES.search(text))

    def at(self, offset: int) -> str:
        if self._role in (SHELL, SOURCE):
            return self._in_program(offset)
        if self._role == PROMPT:
            return self._in_prompt(offset)
        return RUNS if self._launches and _is_launched(self._text, offset) else READ

    def _in_program(self, offset: int) -> str:
        line, column = _line_around(self._text, offset)
        if _COMMENT.match(line) or _MESSAGE.search(line, 0, column):
            return READ
        return RUNS if self._role == SHELL else CODE

    def _in_prompt(self, offset: int) -> str:
        if _is_injected(self._text, offset):
            return RUNS
        line, column = _line_around(self._text, offset)
        if is_warned_of(line):
            return READ
        language = self._language_around(offset)
        if language is not None:
            return READ if language in _QUIET_FENCES or _COMMENT.match(line) else CODE
        return CODE if line.count("`", 0, column) % 2 else READ

    def _language_around(self, offset: int) -> str | None:
        """The language of the fenced block that an offset is in."""
        before = bisect_right(self._fences, (offset, "\U0010ffff"))
        return self._fences[before - 1][1] if before % 2 else None


def is_warned_of(line: str) -> bool:
    """Whether a line speaks against what it shows."""
    return bool(_WARNED.search(line))


def _fences(text: str) -> list[tuple[int, str]]:
    """Where fenced blocks open, with their language, and close, in turn."""
    found: list[tuple[int, str]] = []
    opened = ""
    for fence in _FENCE.finditer(text):
        if not opened:
            opened = fence[1]
            found.append((fence.start(), fence[2].strip().lower()))
        elif fence[1].startswith(opened) and not fence[2].strip():
            opened = ""
            found.append((fence.start(), ""))
    return found


def _line_around(text: str, offset: int) -> tuple[str, int]:
    """The line, at most 400 characters to each side, and where the offset is in it."""
    start = text.rfind("\n", max(0, offset - _SIDE), offset) + 1 or max(0, offset - _SIDE)
    end = text.find("\n", offset, offset + _SIDE)
    return text[start : end if end >= 0 else offset + _SIDE], offset - start


def _is_injected(text: str, offset: int) -> bool:
    """Inside `!{...}`, or Claude's !`...`: the harness runs it before the agent sees the prompt."""
    brace = text.rfind("!{", max(0, offset - 2000), offset)
    if brace >= 0:
        between = text[brace + 1 : offset]
        if between.count("{") > between.count("}"):
            return True
    tick = text.rfind("!`", max(0, offset - _SIDE), offset)
    return tick >= 0 and not {"`", "\n"} & set(text[tick + 2 : offset])


def _is_launched(text: str, offset: int) -> bool:
    """In JSON, inside the value of a key that a harness or a package manager starts."""
    before = text[max(0, offset - 4000) : offset]
    key = _last_end(_RUN_KEY, before)
    if key and _QUOTE.search(before, key) is None:
        return True
    args = _last_end(_ARGS_KEY, before)
    return bool(args) and "]" not in before[args:]


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    ends = [found.end() for found in pattern.finditer(text)]
    return ends[-1] if ends else 0
