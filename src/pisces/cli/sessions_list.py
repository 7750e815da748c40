"""`pisces sessions list`: the sessions of this workspace, the newest first."""

from __future__ import annotations

from pisces.cli._sessions import SHORT_ID, SessionRow, add_all, sessions_meant, unreadable
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table
from pisces.ui.width import cut, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic

_HEADS = "when, id, messages, cost, model, name or first words"
_LEAST = 20  # columns of the last cell


def _arguments(parser: ArgumentParser) -> None:
    add_all(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    rows, problems = _rows(arguments, places)
    if arguments.output_format == "json":
        shown = {"sessions": [row.as_json() for row in rows]}
        screen.json({**shown, "diagnostics": [each.as_json() for each in problems]})
        return FINE
    if rows and screen.is_terminal:
        screen.line(screen.styled(_HEADS, "dim"))
    lines = list(table([[*_cells(row, arguments, places), row.title] for row in rows]))
    room = screen.width if screen.width > _LEAST else 0
    screen.lines(cut(line, room) if room and width_of(line) > room else line for line in lines)
    show_diagnostics(problems, places, screen)
    where = "" if arguments.all else " in this workspace; `--all` has those of others"
    screen.note(f"{counted(len(rows), 'session')}{where}" if rows else f"no session{where}")
    return FINE


def _rows(arguments: Namespace, places: Places) -> tuple[list[SessionRow], list[Diagnostic]]:
    rows: list[SessionRow] = []
    problems: list[Diagnostic] = []
    for session in sessions_meant(arguments, places):
        try:
            rows.append(SessionRow(session, session.totals))
        except OSError as error:
            problems.append(unreadable(error, session.path))
    return rows, problems


def _cells(row: SessionRow, arguments: Namespace, places: Places) -> list[str]:
    totals = row.totals
    cost = "?" if totals.cost is None else f"${totals.cost:.2f}"
    cells = [row.when, row.session.id[:SHORT_ID], str(totals.messages), cost, cut(visible(totals.model), 28)]
    return [*cells, cut(visible(places.shown(totals.cwd)), 32)] if arguments.all else cells


_EXAMPLES = (
    ("pisces sessions list", "of this workspace, the newest first"),
    ("pisces sessions list --all --output-format json", "of every workspace, for programs"),
)
COMMAND = ShellCommand("sessions list", "the agent's sessions in this workspace", _EXAMPLES, _arguments, _run)
