"""One command of the shell: a file in this folder that exports `COMMAND`. The types in its signatures are here too."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser as ArgumentParser, Namespace as Namespace
    from collections.abc import Callable

    from pisces.places import Places as Places
    from pisces.ui.screen import Screen as Screen

FINE = 0
PROBLEMS = 1
COULD_NOT_RUN = 2

NOT_IN_HELP = "not in help"  # stands for argparse.SUPPRESS, which is slow to import


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
    parser.add_argument("--harness", action="append", metavar="ID", help="look at this harness only (repeatable)")
    parser.add_argument("--no-harness", action="append", metavar="ID", help="leave this harness out (repeatable)")
    for old, dest in (("--provider", "harness"), ("--no-provider", "no_harness")):  # names of seed 000, not in help
        parser.add_argument(old, action="append", dest=dest, help=NOT_IN_HELP)
    parser.add_argument("--disable", action="append", metavar="ITEM", help="leave one item out, as in skill:review")
