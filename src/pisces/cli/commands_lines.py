"""`pisces commands lines`: command lines of prompt files that always or never run, and how to be asked again."""

from __future__ import annotations

from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.gates.allowed_lines import allowed_lines, forget_lines
from pisces.gates.approvals import approvals_in, forget_never
from pisces.ui.plain import counted
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    meaning = "ask again about this line, or about all lines of this prompt file (repeatable)"
    parser.add_argument("--forget", action="append", metavar="LINE|FILE", help=meaning)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    for meant in arguments.forget or ():
        _forget(meant, places, screen)
    if not arguments.forget:
        _show(arguments, places, screen)
    return FINE


def _forget(meant: str, places: Places, screen: Screen) -> None:
    path = places.absolute(meant)
    count = forget_lines(places, lambda each: meant == each.line or path == each.path) + forget_never(places, meant)
    if not count:
        hint = "`pisces commands lines` shows those that are"
        raise PiscesError(Diagnostic("no-such-line", ERROR, f"`{meant}` is no line that is stored", hint=hint))
    audit_of(places, screen).write(ChangedRecord("forgotten", "shell", meant))
    screen.note(f"{counted(count, 'line')} forgotten: you are asked again")


def _show(arguments: Namespace, places: Places, screen: Screen) -> None:
    always, never = allowed_lines(places), sorted(approvals_in(places).never)
    if arguments.output_format == "json":
        shown = [{"line": each.line, "path": each.path, "sha256": each.sha256, "cwd": each.cwd} for each in always]
        screen.json({"always": shown, "never": never})
        return
    rows = [
        ["always", visible(each.line), visible(places.shown(each.path)), f"in {visible(places.shown(each.cwd))}"]
        for each in always
    ]
    screen.lines(table([*rows, *(["never", visible(line), "", ""] for line in never)]))
    if not rows and not never:
        screen.note("no line is stored: each is asked about")


_EXAMPLES = (
    ("pisces commands lines", "what always and what never runs"),
    ("pisces commands lines --forget 'git diff --staged'", "ask again about this line"),
    ("pisces commands lines --forget .gemini/commands/commit.toml", "ask again about every line of this file"),
)
_SUMMARY = "command lines of prompt files that always or never run"
COMMAND = ShellCommand("commands lines", _SUMMARY, _EXAMPLES, _arguments, _run)
