"""The arguments of a program, cut into options and operands as most programs read them."""

from __future__ import annotations

import re

from pisces.commands.lines.arguments import Argument
from pisces.commands.lines.needs import GLUED, NEVER, NOT_AN_OPTION, ORDINARY, SPLIT
from pisces.commands.lines.syntax import HOLE
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pisces.commands.lines.flow import Flow

# Whatever the program is called: what follows these options it runs.
_RUN_BY_OPTIONS = frozenset(
    """
    exec command eval execute cmd call shell to-command checkpoint-action use-compress-program rsh rsh-command
    rmt-command info-script new-volume-script rsync-path upload-pack receive-pack exec-path pre preprocessor
    hostname-bin sh-exec compress-program pager editor init-command proxy-command split-string open-files-in-pager
    lua-exec unzip-command ext-diff gpg-program config-env expr
    """.split()
)
# These name a file with code or settings, or a command.
_LOADED_BY_OPTIONS = frozenset("script run config require import loader plugin on-change preview bind load".split())
# `-n{{args}}` with `ofile` would be `-n -o file`, `-{{args}}` with `-output=x` would be `--output=x`.
_GLUED = re.compile(r"-[A-Za-z]*\0|--[\w-]*\0")
_SHORT_CODE = frozenset(("-c", "-e", "-E", "-x", "-X", "-S"))


class Options(Value):
    """`given` are pairs of an option and its value, which may be nothing. `rest` begins with the first operand."""

    given: tuple[tuple[str, Argument | None], ...]
    rest: tuple[Argument, ...]

    def values(self, *names: str) -> list[Argument]:
        return [value for name, value in self.given if name in names and value is not None]

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.given)


def options_of(arguments: Sequence[Argument], with_value: Collection[str]) -> Options:
    """Options up to the first operand. `with_value` are those whose value is the next argument."""
    given: list[tuple[str, Argument | None]] = []
    number = 0
    while number < len(arguments):
        text = arguments[number].text
        if text == "--":
            return Options(tuple(given), tuple(arguments[number + 1 :]))
        if len(text) < 2 or text[0] not in "-+":
            break
        name, equals, value = text.partition("=")
        if equals and text.startswith("--"):
            given.append((name, arguments[number].replace(text=value)))
        elif text in with_value:
            number += 1
            given.append((text, arguments[number] if number < len(arguments) else None))
        else:
            given.append(_short(arguments[number], with_value))
        number += 1
    return Options(tuple(given), tuple(arguments[number:]))


def _short(argument: Argument, with_value: Collection[str]) -> tuple[str, Argument | None]:
    """`-n5` and `-ofile`: the value stands in the same word."""
    name = argument.text[:2]
    if name in with_value and not argument.text.startswith("--"):
        return name, argument.replace(text=argument.text[2:])
    return argument.text, argument if argument.taint else None


def take_operands(flow: Flow, arguments: Sequence[Argument]) -> None:
    """For a program that is not known: words may be operands, and values of options that run nothing."""
    before = ""
    for number, each in enumerate(arguments):
        if each.text == "--" and not each.taint:
            take_paths(flow, arguments[number + 1 :])
            return
        take_operand(flow, each, before)
        before = each.text


def take_operand(flow: Flow, each: Argument, before: str = "") -> None:
    if not each.taint:
        return
    if _GLUED.match(each.text):
        flow.need(each.taint, GLUED)
    if each.splits:
        flow.need(each.taint, SPLIT)
    elif each.begins_with_words:
        flow.need(each.taint, NOT_AN_OPTION)
    name = each.text.split("=")[0] if each.text.startswith("--") and "=" in each.text else before
    if name.startswith("--") and name.lstrip("-") in _RUN_BY_OPTIONS:
        is_whole = each.text.partition("=")[2] == HOLE or each.text == HOLE
        flow.need(each.taint, NEVER if is_whole else ORDINARY)
    elif before in _SHORT_CODE or (name.startswith("--") and name.lstrip("-") in _LOADED_BY_OPTIONS):
        flow.need(each.taint, ORDINARY)


def take_paths(flow: Flow, arguments: Sequence[Argument]) -> None:
    """Behind `--`: whatever the words are, they are no options."""
    for each in arguments:
        if each.splits and each.taint:
            flow.need(each.taint, SPLIT)
