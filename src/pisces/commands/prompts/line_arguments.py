"""Puts the user's words into a command line so that no character of them means anything to the shell.

Outside of quotes every word becomes one quoted word; inside of quotes it is escaped for these quotes. Where a shell
would read the words a second time, or this file cannot tell how it reads them, nothing is put in and nothing runs.
"""

from __future__ import annotations

import re

from pisces.commands.prompts.shell_line import user_shell
from pisces.commands.prompts.shell_quoting import BASH, posix_quoted, quoted
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.commands.prompts.expansion import Expansion

    Fill = Callable[[re.Match[str]], "Given | str | None"]

LINE_ARGUMENTS = Rule("shell-line-arguments", ERROR, "A command line takes arguments where they cannot be quoted")

_HINT = "write the placeholder as a word of its own, or move the line into a script that gets it as an argument"

_HARMLESS = re.compile(r"[A-Za-z0-9_./-]*")
_SHELL = r"(?<![\w.-])(?:ba|da|z|k|mk|fi|c|tc)?sh(?![\w.-])"
_READ_ANYWHERE = re.compile(
    r"`|(?<!<)<<(?!<)|\(\(|\$\[|\$['\"]|\$\{(?!\w+\})"  # the shell itself, and its other ways to quote
    rf"|\|[^|;&\n]*{_SHELL}|[<>]&(?!(?:\d+|-)(?![\w\0]))"
    # Where bash takes a word for arithmetic, it runs what stands in `a[$(...)]`, quoted or not.
    r"|\[\[.*\s-(?:eq|ne|lt|le|gt|ge|v)\b|\w\[[^\]]*\0"
)
_READS_WHAT_FOLLOWS = re.compile(
    r"(?:^|[\s;&|({/])(?:case|eval|let|unset|trap|ssh|su|parallel|[gmn]?awk|g?sed|g?make|m4|expect|sqlite3"
    r"|watch|script|tmux|screen|test\s+-v|\[\s+-v|printf\s+-v|(?:declare|typeset|local)\s+-\w*i)\s"
    rf"|(?:{_SHELL}|(?:^|[\s;&|({{])(?:source|\.)\s)[^|;&\n]*<(?:<<|\()"
    r"|\b\w*sh\b[^|;&\n]*\s-\w*c\w*\b"
    r"|\b(?:python[\d.]*|node|bun|deno|perl|ruby|php|lua|Rscript|osascript)\b[^|;&\n]*"
    r"\s(?:-\w*[ceE]|-[pr]|--eval|--print|eval)\b"
)
_LONGEST = 8192  # characters that are looked through for such things: that takes the square of their number
_QUOTES = re.compile(r"""["'`$(]""")
_SPECIAL_IN_DOUBLE = re.compile(r'(["\\$`])')

# After `x=` or `>` only the first of several words would belong to it, and the next one could be run as a command.
_BEGINS_A_WORD = re.compile(r"(?:\A\s*|[^\s<>]\s+|[;&|(]\s*)\Z")

_PLAIN, _DOUBLE, _SINGLE = "", '"', "'"


class Given(Value):
    """What a placeholder stands for: `text` as it was typed, and the same as words, one for each argument."""

    text: str
    words: tuple[str, ...]


class Unquotable(Exception):
    """The line would let the shell read an argument as something else than text."""


def filled(line: str, placeholder: re.Pattern[str], fill: Fill, expansion: Expansion) -> str:
    """A command line with quoted arguments; `PiscesError` where they cannot be quoted."""
    try:
        return filled_line(line, placeholder, fill, user_shell(expansion.places.env).kind)
    except Unquotable:
        message = f"`{line}` takes arguments where they cannot be quoted, so it does not run"
        command = expansion.command
        raise PiscesError(LINE_ARGUMENTS.at(command.path, message, hint=_HINT, about=command.name)) from None


def filled_line(line: str, placeholder: re.Pattern[str], fill: Fill, shell: str) -> str:
    """The line for the shell. `fill` answers with `Given`, with text of the author's own, or with None to leave it."""
    try:
        return _careful(line, placeholder, fill, shell)
    except Unquotable:
        values = [fill(match) for match in placeholder.finditer(line)]
        if not all(_HARMLESS.fullmatch(value.text) for value in values if isinstance(value, Given)):
            raise
        return placeholder.sub(lambda match: _as_typed(fill(match), match), line)


def _careful(line: str, placeholder: re.Pattern[str], fill: Fill, shell: str) -> str:
    if not any(isinstance(fill(match), Given) for match in placeholder.finditer(line)):
        return placeholder.sub(lambda match: _as_typed(fill(match), match), line)
    if shell != BASH:
        return _without_quotes(line, placeholder, fill, shell)
    if len(line) > _LONGEST or _is_read_twice(line, placeholder):
        raise Unquotable(line)
    return _Scan(line, placeholder, fill).filled()


def _is_read_twice(line: str, placeholder: re.Pattern[str]) -> bool:
    """The text of a program follows the name of what reads it: what comes after the last placeholder is no matter."""
    last = max(match.start() for match in placeholder.finditer(line))
    return bool(
        _READ_ANYWHERE.search(placeholder.sub("\0", line))
        or _READS_WHAT_FOLLOWS.search(placeholder.sub("", line[:last]) + " ")
    )


def _as_typed(value: Given | str | None, match: re.Match[str]) -> str:
    if isinstance(value, Given):
        return value.text
    return match[0] if value is None else value


def _without_quotes(line: str, placeholder: re.Pattern[str], fill: Fill, shell: str) -> str:
    """For shells whose quoting we do not follow: only lines in which nothing is quoted take arguments."""
    if _QUOTES.search(placeholder.sub("", line)):
        raise Unquotable(line)

    def word(match: re.Match[str]) -> str:
        value = fill(match)
        return " ".join(quoted(each, shell) for each in value.words) if isinstance(value, Given) else value or match[0]

    return placeholder.sub(word, line)


class _Scan:
    """One walk over a line of a POSIX shell that knows at each placeholder which quotes are open."""

    def __init__(self, line: str, placeholder: re.Pattern[str], fill: Fill) -> None:
        self._line = line
        self._placeholder = placeholder
        self._fill = fill
        self._open = [_PLAIN]

    def filled(self) -> str:
        out: list[str] = []
        at = 0
        while at < len(self._line):
            match = self._placeholder.match(self._line, at)
            value = self._fill(match) if match else None
            if match and value is not None and match[0]:
                out.append(value if isinstance(value, str) else self._quoted(value, at))
                at = match.end()
            else:
                end = self._next(at)
                out.append(self._line[at:end])
                at = end
        if self._open != [_PLAIN]:
            raise Unquotable(self._line)  # quotes that never end: what we took for their inside may be their outside
        return "".join(out)

    def _quoted(self, value: Given, at: int) -> str:
        inside = self._open[-1]
        if inside == _DOUBLE:
            return _SPECIAL_IN_DOUBLE.sub(r"\\\1", value.text)
        if inside == _SINGLE:
            return value.text.replace("'", "'\\''")
        words = value.words if _BEGINS_A_WORD.search(self._line[:at].replace("\\\n", " ")) else (" ".join(value.words),)
        return " ".join(posix_quoted(word) or "''" for word in words)

    def _next(self, at: int) -> int:
        """Where the next character of the line begins, after this one has opened or closed what it does."""
        here, inside = self._line[at], self._open[-1]
        if here == inside:
            self._open.pop()
            return at + 1
        if inside == _SINGLE:
            return at + 1
        if here == "\\":
            return at + 2
        if self._line.startswith("$(", at):
            self._open.append(_PLAIN)
            return at + 2
        return at + 1 if inside == _DOUBLE else self._next_plain(at, here)

    def _next_plain(self, at: int, here: str) -> int:
        if here in "\"'":
            self._open.append(here)
        elif here == "(":
            self._open.append(_PLAIN)
        elif here == ")" and len(self._open) > 1:
            self._open.pop()
        elif here == "#" and (at == 0 or self._line[at - 1] in " \t\n;&|()"):
            return self._after_comment(at)
        return at + 1

    def _after_comment(self, at: int) -> int:
        end = self._line.find("\n", at)
        end = len(self._line) if end < 0 else end
        if any(self._fill(match) is not None for match in self._placeholder.finditer(self._line, at, end)):
            raise Unquotable(self._line)
        return end
