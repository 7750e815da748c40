"""One command of the shell: a file in this folder that exports `COMMAND`."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from pisces.places import Places
    from pisces.ui.screen import Screen

FINE = 0
PROBLEMS = 1
COULD_NOT_RUN = 2


class ShellCommand(Value):
    """`arguments` adds to a parser of its own; `run` returns the exit code."""

    name: str
    summary: str
    examples: tuple[tuple[str, str], ...]
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Places, Screen], int]


def add_output_format(parser: ArgumentParser, *formats: str) -> None:
    choices = ("text", "json", *formats)
    parser.add_argument("--output-format", choices=choices, default="text", help="for people, or for programs")


def add_switches(parser: ArgumentParser) -> None:
    parser.add_argument("--provider", action="append", metavar="ID", help="look at this harness only (repeatable)")
    parser.add_argument("--no-provider", action="append", metavar="ID", help="leave this harness out (repeatable)")
    parser.add_argument("--disable", action="append", metavar="ITEM", help="leave one item out, as in skill:review")
