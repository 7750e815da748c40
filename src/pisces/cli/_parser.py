"""The whole parser of one command, for help, for mistakes and for the reference page (see `_quick_words`).

It prints nothing: help and mistakes leave as exceptions, so that they can be shown as text or as JSON.
"""

from __future__ import annotations

import argparse

from pisces.checking.spelling import did_you_mean
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, NOT_IN_HELP, ShellCommand, declare
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from pisces.ui.screen import Screen

_UNKNOWN = "unrecognized arguments: "
_CHOICE = "invalid choice: "
_BESIDE = 76  # an example and what it does stand on one line up to this width


class HelpAsked(SystemExit):
    def __init__(self, text: str) -> None:
        super().__init__(FINE)
        self.text = text


class Misused(SystemExit):
    """A word of the command line means nothing; `hint` says what was probably meant."""

    def __init__(self, usage: str, message: str, hint: str) -> None:
        super().__init__(COULD_NOT_RUN)
        self.usage, self.message, self.hint = usage, message, hint


class _Parser(argparse.ArgumentParser):
    def print_help(self, file: object = None) -> None:  # noqa: ARG002  # where argparse would print it
        raise HelpAsked(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise Misused(self.format_usage(), message, self._hint(message))

    def _hint(self, message: str) -> str:
        if message.startswith(_UNKNOWN):
            flags = [each for each in message.removeprefix(_UNKNOWN).split() if each.startswith("-")]
            shown = [action for action in self._actions if action.help is not argparse.SUPPRESS]
            known = [flag for action in shown for flag in action.option_strings]
            return next(filter(None, (did_you_mean(flag.partition("=")[0], known) for flag in flags)), "")
        if _CHOICE in message:
            wrong = message.split(_CHOICE)[1].split("'")[1:2]
            choices = [str(each) for action in self._actions for each in action.choices or ()]
            return did_you_mean(wrong[0], choices) if wrong else ""
        return ""


def shown(stop: SystemExit, screen: Screen) -> int:
    """Says what the parser had to say; returns the exit code."""
    if isinstance(stop, HelpAsked):
        screen.lines(stop.text.rstrip().split("\n"))
    elif isinstance(stop, Misused):
        screen.note(stop.usage.rstrip())
        screen.failed(f"pisces: {stop.message}", stop.hint)
    return int(stop.code or FINE)


def parser_of(command: ShellCommand, width: int = 0) -> argparse.ArgumentParser:
    """With the command's examples at the end of its help."""
    parser = _Parser(
        prog=f"pisces {command.name}".rstrip(),
        description=command.summary[0].upper() + command.summary[1:] + ".",
        epilog=_examples(command, width) or None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    declare(command, parser)
    for action in parser._actions:
        if action.help == NOT_IN_HELP:
            action.help = argparse.SUPPRESS  # compared by identity
    return parser


def _examples(command: ShellCommand, width: int) -> str:
    if not command.examples:
        return ""
    rows = [(f"  {line}", what) for line, what in command.examples]
    lines = list(table(rows))
    if max(map(len, lines)) > (width or _BESIDE):
        lines = [each for line, what in rows for each in (line, f"      {what}")]
    return "\n".join(["examples:", *lines])
