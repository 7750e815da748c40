"""Puts the user's words into a command line so that no character of them means anything to the shell.

The line is read as a shell reads it, and the words are followed to every command that gets them. Outside of quotes
every word becomes one quoted word; inside of quotes it is escaped for these quotes. Where something would read the
words once more as code, only words of plain characters are put in; where they would be the code, none. Nothing is put
into a line that cannot be read.
"""

from __future__ import annotations

import re

from pisces.by_name import export_of
from pisces.commands.prompts.shell_line import user_shell
from pisces.commands.prompts.shell_quoting import BASH, posix_quoted, quoted
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.commands.lines.judged_line import JudgedLine
    from pisces.commands.prompts.expansion import Expansion

    Fill = Callable[[re.Match[str]], "Given | str | None"]

LINE_ARGUMENTS = Rule("shell-line-arguments", ERROR, "A command line takes arguments where they cannot be quoted")

_HINT = "write the placeholder as a word of its own, or move the line into a script that gets it as an argument"
_HOLE = "\0"
_PLAIN_PATH = re.compile(r"(?!-)[\w./-]+")
_WITHOUT_SIGNS = re.compile(r"[\w./:\\@+,=\0 -]+")  # what PowerShell reads like any other shell
_SPECIAL_IN_DOUBLE = re.compile(r'(["\\$`])')


class Given(Value):
    """What a placeholder stands for: `text` as it was typed, and the same as words, one for each argument.

    `is_typed` is not set for a path of ours, such as the folder of the package.
    """

    text: str
    words: tuple[str, ...]
    is_typed: bool = True


class Unquotable(Exception):
    """The line would let something read an argument as something else than text. `hint` says what to write."""

    def __init__(self, reason: str, hint: str = _HINT) -> None:
        super().__init__(reason)
        self.hint = hint


def filled(line: str, placeholder: re.Pattern[str], fill: Fill, expansion: Expansion) -> str:
    """A command line with quoted arguments; `PiscesError` where they cannot be quoted."""
    try:
        return filled_line(line, placeholder, fill, user_shell(expansion.places.env).kind)
    except Unquotable as refused:
        message = f"`{line}` takes arguments where they cannot be quoted, so it does not run: {refused}"
        command = expansion.command
        raise PiscesError(LINE_ARGUMENTS.at(command.path, message, hint=refused.hint, about=command.name)) from None


def filled_line(line: str, placeholder: re.Pattern[str], fill: Fill, shell: str) -> str:
    """The line for the shell. `fill` answers with `Given`, with text of the author's own, or with None to leave it."""
    given: list[Given] = []

    def hole(match: re.Match[str]) -> str:
        value = fill(match)
        if not isinstance(value, Given):
            return match[0] if value is None else value
        if not value.is_typed and _PLAIN_PATH.fullmatch(value.text):
            return value.text
        given.append(value)
        return _HOLE

    template = placeholder.sub(hole, line)
    if not given:
        return template
    if template.count(_HOLE) != len(given):
        raise Unquotable("it has a character that no line can have")
    return _with_words(template, given) if shell == BASH else _without_quotes(template, given, shell)


def _with_words(template: str, given: Sequence[Given]) -> str:
    judged = _judged(template, given)
    if judged.flaw and not any(each.text for each in given):
        return template.replace(_HOLE, "")
    _check(judged, given)
    pieces = template.split(_HOLE)
    words = (_quoted(value, judged, number) for number, value in enumerate(given))
    return "".join(piece for pair in zip(pieces, [*words, ""], strict=True) for piece in pair)


def _judged(template: str, given: Sequence[Given]) -> JudgedLine:
    own = frozenset(number for number, value in enumerate(given) if not value.is_typed)
    judged: JudgedLine = export_of("pisces.commands.lines", "judged_line", "judged_line")(template, own)
    return judged


def _check(judged: JudgedLine, given: Sequence[Given]) -> None:
    if judged.flaw:
        raise Unquotable(f"it cannot be read ({judged.flaw})")
    for number, value in enumerate(given):
        words = value.words if judged.is_list(number) else (value.text,)
        for need in judged.needs.get(number, ()):
            if not all(map(need.is_met, words if need.each_word else (value.text,))):
                raise Unquotable(need.reason, need.hint)


def _quoted(value: Given, judged: JudgedLine, number: int) -> str:
    context = judged.contexts[number]
    if context == "raw":
        return value.text
    if context == '"':
        return _SPECIAL_IN_DOUBLE.sub(r"\\\1", value.text)
    if context == "'":
        return value.text.replace("'", "'\\''")
    words = value.words if judged.is_list(number) else (" ".join(value.words),)
    return " ".join(posix_quoted(word) or "''" for word in words)


def _without_quotes(template: str, given: Sequence[Given], shell: str) -> str:
    """For shells whose quoting we do not follow: only lines of plain words take arguments."""
    if not _WITHOUT_SIGNS.fullmatch(template):
        raise Unquotable("only lines without quotes and signs take arguments in this shell")
    _check(_judged(template.replace("\\", "/"), given), given)
    values = iter(given)
    return re.sub(_HOLE, lambda _: " ".join(quoted(word, shell) for word in next(values).words), template)
