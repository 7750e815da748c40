"""`pisces mcp list`: every MCP server of every harness, where it stands, and what it needs. Starts nothing."""

from __future__ import annotations

from pisces.cli._mcp_rows import ServerRow, row_json, server_rows
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import safe_notes, switches_for
from pisces.discovery.state import ACTIVE
from pisces.ui.plain import counted, shortened, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.states_text import STYLES
from pisces.ui.table import path_rows
from pisces.ui.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_HEADS = "name, state in pisces, transport, what it is started as, harnesses, tools, file"


def _arguments(parser: ArgumentParser) -> None:
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = server_rows(places, switches_for(arguments, places, screen))
    if arguments.output_format == "json":
        problems = [each.as_json() for each in (*safe_notes(places), *found.diagnostics)]
        screen.json({"servers": [row_json(row) for row in found.rows], "diagnostics": problems})
        return FINE
    if found.rows and screen.is_terminal:
        screen.line(screen.styled(_HEADS, "dim"))
    cells = [_cells(row, places) for row in found.rows]
    for row, lines in zip(found.rows, path_rows(cells, screen.width), strict=True):
        screen.lines(lines)
        screen.lines(_below(row, places, screen))
    active = sum(row.state == ACTIVE for row in found.rows)
    counts = f"{counted(len(found.rows), 'MCP server')}, {active} ready to start; none was started"
    screen.note(counts if found.rows else "no MCP server is configured here")
    show_diagnostics(found.diagnostics, places, screen)
    return FINE


def _cells(row: ServerRow, places: Places) -> list[str]:
    tools = "" if row.tools is None else counted(row.tools, "tool")
    path = visible(places.shown(row.path))
    return [
        visible(row.name),
        row.state,
        row.transport,
        visible(cut(shortened(row.launch, places))),
        visible(row.harnesses),
        tools,
        path,
    ]


def _below(row: ServerRow, places: Places, screen: Screen) -> Iterator[str]:
    """What it needs, and what to do about it."""
    if row.state != ACTIVE and row.reason:
        state = screen.styled(row.state, STYLES[row.state])
        yield f"    {state}: {visible(shortened(row.reason, places))}"
        yield from _hint(row.change, places, screen)
    if row.pin:
        yield f"    pinned: {visible(row.pin)}"
    if row.login and not row.notes:
        yield f"    {row.login}"
    for note, hint in row.notes:
        yield f"    {visible(shortened(note, places))}"
        yield from _hint(hint, places, screen)


def _hint(text: str, places: Places, screen: Screen) -> Iterator[str]:
    if text:
        yield f"      {screen.styled('hint:', 'cyan')} {visible(shortened(text, places))}"


_EXAMPLES = (
    ("pisces mcp list", "every server, and what it needs"),
    ("pisces mcp list --harness claude", "those of one harness"),
    ("pisces mcp list --output-format json", "for programs"),
)
_SUMMARY = "every MCP server of every harness, where it stands and what it needs; starts nothing"
COMMAND = ShellCommand("mcp list", _SUMMARY, _EXAMPLES, _arguments, _run)
