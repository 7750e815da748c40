"""One command of the shell: a file in this folder that exports `COMMAND`. The types in its signatures are here too."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser as ArgumentParser, Namespace as Namespace
    from collections.abc import Callable
    from typing import Any

    from pisces.places import Places as Places
    from pisces.ui.screen import Screen as Screen

FINE = 0
PROBLEMS = 1
COULD_NOT_RUN = 2

OUTPUT_FORMAT = "--output-format"
SAFE = "--safe"  # stands before the command, or among its options
NOT_IN_HELP = "not in help"  # stands for argparse.SUPPRESS, which is slow to import


class ShellCommand(Value):
    """`arguments` adds to a parser of its own; `run` returns the exit code."""

    name: str
    summary: str
    examples: tuple[tuple[str, str], ...]
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Places, Screen], int]


def declare(command: ShellCommand, parser: ArgumentParser) -> None:
    """The command's own arguments, `--output-format` if that is none of them, and `--safe`, which all understand."""
    seen = _Seen(parser)
    command.arguments(seen)  # type: ignore[arg-type]  # it answers to what our commands say to a parser
    if OUTPUT_FORMAT not in seen.names:
        add_output_format(parser)
    parser.add_argument(SAFE, action="store_true", help=NOT_IN_HELP)


class _Seen:
    """Passes arguments on to a parser and notes their names."""

    def __init__(self, parser: ArgumentParser) -> None:
        self._parser = parser
        self.names: set[str] = set()

    def add_argument(self, *names: str, **details: Any) -> None:
        self.names.update(names)
        self._parser.add_argument(*names, **details)


def add_output_format(parser: ArgumentParser, *formats: str) -> None:
    choices = ("text", "json", *formats)
    parser.add_argument(OUTPUT_FORMAT, choices=choices, default="text", help="for people, or for programs")


def add_switches(parser: ArgumentParser) -> None:
    parser.add_argument("--harness", action="append", metavar="ID", help="look at this harness only (repeatable)")
    parser.add_argument("--no-harness", action="append", metavar="ID", help="leave this harness out (repeatable)")
    for old, dest in (("--provider", "harness"), ("--no-provider", "no_harness")):  # names of seed 000, not in help
        parser.add_argument(old, action="append", dest=dest, help=NOT_IN_HELP)
    parser.add_argument("--disable", action="append", metavar="ITEM", help="leave one item out, as in skill:review")
