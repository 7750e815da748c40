"""`pisces list KIND`: one row for each file, however many harnesses read it, and where it stands in which of them."""

from __future__ import annotations

import os

from pisces.cli._views import LEFT_OUT, PISCES, View
from pisces.discovery.standing import key_of
from pisces.discovery.state import ACTIVE, SHADOWED
from pisces.shapes.rejected import Rejected
from pisces.ui.plain import counted
from pisces.ui.states_text import reason_lines
from pisces.ui.table import path_rows
from pisces.ui.titles import details_of, path_of, title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate

    # An item in each harness that knows it.
    Row = list[tuple[View, Candidate]]

_DETAILS = {"packages": "version", "mcp-servers": "what it runs", "hooks": "what it runs"}


def show_kind(every: list[View], arguments: Namespace, places: Places, screen: Screen) -> None:
    kind = every[0].stands[0].capability
    rows = sorted(rows_of(every, kind), key=lambda row: title_of(kind.id, row[0][1].found.item).casefold())
    shown = [row for row in rows if arguments.all or _is_active(row)]
    if shown and screen.is_terminal:
        heads = ["name", _DETAILS.get(kind.id, ""), "harnesses", "path"]
        screen.line(screen.styled(", ".join(filter(None, heads)), "dim"))
    cells = [_cells(row, kind.id, places) for row in shown]
    for row, lines in zip(shown, path_rows(cells, screen.width), strict=True):
        screen.lines(lines)
        if arguments.all:
            screen.lines(_reasons(row, places, screen))
    _show_rest(rows, shown, kind, screen)


def identity(kind: Capability, candidate: Candidate, real: dict[str, str]) -> Any:
    """What makes an item the same in two harnesses: its name and its real file. `real` has the folders asked so far."""
    item, path = candidate.found.item, candidate.found.source.path
    folder, name = os.path.split(path)
    if folder not in real:
        real[folder] = os.path.realpath(folder)
    file = os.path.realpath(path) if os.path.islink(path) else os.path.join(real[folder], name)
    if isinstance(item, Rejected):
        return item.name, file
    key = key_of(kind, item)
    return (getattr(item, "keys", ()) if key is None else key), file


def rows_of(every: Iterable[View], kind: Capability) -> list[Row]:
    """A harness that meets a file twice has it once, as it stands best there."""
    rows: dict[Any, dict[str, tuple[View, Candidate]]] = {}
    real: dict[str, str] = {}
    for view in every:
        for candidate in view.stands[0].candidates:
            row = rows.setdefault(identity(kind, candidate, real), {})
            if view.harness.id not in row or candidate.state == ACTIVE:
                row[view.harness.id] = view, candidate
    return [list(row.values()) for row in rows.values()]


def _is_active(row: Row) -> bool:
    return any(each.state == ACTIVE for _, each in row)


def _is_left_out(row: Row) -> bool:
    """Items that this call itself leaves out are not listed as missing."""
    return all(each.reason.startswith(LEFT_OUT) for _, each in row)


def _cells(row: Row, kind: str, places: Places) -> list[str]:
    known = [each for _, each in row if not isinstance(each.found.item, Rejected)]
    first = (known or [row[0][1]])[0]
    item = first.found.item
    return [title_of(kind, item), *details_of(kind, item, places), harnesses_of(row), path_of(kind, first, places)]


def harnesses_of(row: Row) -> str:
    """`claude, (cursor); off in codex`: brackets are around those that are not set up here."""
    by_state: dict[str, list[str]] = {ACTIVE: []}
    for view, candidate in _worth_saying(row):
        name = f"({view.harness.id})" if view.is_absent else view.harness.id
        by_state.setdefault(candidate.state, []).append(name)
    active = ", ".join(by_state.pop(ACTIVE))
    others = [f"{state} in {', '.join(names)}" for state, names in by_state.items()]
    return "; ".join([*filter(None, [active]), *others])


def _worth_saying(row: Row) -> Iterator[tuple[View, Candidate]]:
    """Pisces runs what others load, so it is named only where its own switches say otherwise."""
    known = [(view, each) for view, each in row if view.harness is not PISCES]
    yield from known
    for view, candidate in row:
        states = [each.state for _, each in known]
        if view.harness is PISCES and candidate.state not in (ACTIVE, SHADOWED, *states):
            yield view, candidate


def _reasons(row: Row, places: Places, screen: Screen) -> Iterator[str]:
    """Harnesses that have the same reason share a line."""
    grouped: dict[Any, list[tuple[View, Candidate]]] = {}
    for view, candidate in _worth_saying(row):
        grouped.setdefault((candidate.state, candidate.reason, candidate.held), []).append((view, candidate))
    for group in grouped.values():
        names = ", ".join(view.harness.id for view, _ in group)
        yield from reason_lines(group[0][1], "    ", places, screen, f"{names}: ")


def _show_rest(rows: list[Row], shown: list[Row], kind: Capability, screen: Screen) -> None:
    if not any(map(_is_active, shown)):
        screen.note(f"no {kind.plural} found")
    if any(view.is_absent for row in shown for view, _ in row):
        screen.note("harnesses in brackets are not set up here")
    more = sum(not _is_active(row) and not _is_left_out(row) for row in rows) if len(shown) < len(rows) else 0
    if more:
        screen.note(f"{counted(more, 'item')} more {'does' if more == 1 else 'do'} not load: --all says why")
