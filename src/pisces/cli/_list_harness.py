"""`pisces list --harness X`: what one program loads, in its own names and its own order."""

from __future__ import annotations

from pisces.cli._views import PISCES, Stand, View
from pisces.discovery.state import ACTIVE
from pisces.ui.plain import counted
from pisces.ui.states_text import reason_lines
from pisces.ui.table import path_rows
from pisces.ui.titles import details_of, level_of, path_of, title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.discovery.found import Candidate


def show_harness(view: View, arguments: Namespace, places: Places, screen: Screen) -> None:
    is_one_table = bool(arguments.kind) and len(arguments.harness) == 1
    if len(arguments.harness) > 1 or view.is_absent:
        mark = " (not set up here)" if view.is_absent else ""
        screen.line(screen.styled(f"{view.harness.id}{mark}", "bold"))
    hidden = 0
    for stand in view.stands:
        shown = [each for each in stand.candidates if arguments.all or each.state == ACTIVE]
        hidden += len(stand.candidates) - len(shown)
        if shown:
            _show(view, stand, shown, "" if is_one_table else "  ", (places, screen))
    if not any(each.state == ACTIVE for stand in view.stands for each in stand.candidates):
        screen.note(
            f"{view.harness.id} loads no {view.stands[0].capability.plural if arguments.kind else 'items'} here"
        )
    if hidden:
        screen.note(f"{counted(hidden, 'item')} more {'does' if hidden == 1 else 'do'} not load: --all says why")


def _show(view: View, stand: Stand, shown: list[Candidate], indent: str, where: tuple[Places, Screen]) -> None:
    places, screen = where
    kind = stand.capability
    if indent:
        active = sum(each.state == ACTIVE for each in shown)
        title = counted(len(shown), kind.singular, kind.plural)
        screen.line(screen.styled(title if active == len(shown) else f"{title}, {active} of them loaded", "bold"))
    rows = [_row(view, kind.id, each, places) for each in shown]
    rows = [[indent + first, *rest] for first, *rest in rows]
    for candidate, lines in zip(shown, path_rows(rows, screen.width), strict=True):
        screen.lines(lines)
        screen.lines(reason_lines(candidate, f"{indent}    ", places, screen))
    if indent:
        screen.line()


def _row(view: View, kind: str, candidate: Candidate, places: Places) -> list[str]:
    """Items of pisces itself say which harness they come from."""
    item = candidate.found.item
    source = [candidate.found.source.harness] if view.harness is PISCES else []
    cells = [title_of(kind, item), *details_of(kind, item, places), *source]
    return [*cells, level_of(candidate), path_of(kind, candidate, places)]
