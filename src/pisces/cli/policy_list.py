"""`pisces policy list`: every rule about tool calls that is in force here, harness by harness."""

from __future__ import annotations

from pisces.cli._policies import books_here, problems_of, scene_here
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR
from pisces.discovery.harness import all_harnesses
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    books = books_here(scene_here(places))
    problems = problems_of(books)
    listed = [(book.harness, rule) for book in books for rule in getattr(book, "rules", ())]
    show_diagnostics(problems, places, screen)
    if arguments.output_format == "json":
        screen.json([{"harness": harness, "decision": each.decision, "rule": each.who} for harness, each in listed])
    else:
        labels = {harness.id: harness.label for harness in all_harnesses()}
        screen.lines(
            table([[labels.get(harness, harness), each.decision, visible(each.who)] for harness, each in listed])
        )
        if not listed:
            screen.note("no rules: the approval mode decides about every tool call")
    return PROBLEMS if any(each.severity == ERROR for each in problems) else FINE


_EXAMPLES = (("pisces policy list", "all rules, in the order in which each harness asks them"),)
_SUMMARY = "every rule about tool calls that is in force here, by harness"
COMMAND = ShellCommand("policy list", _SUMMARY, _EXAMPLES, _arguments, _run)
