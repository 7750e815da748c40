"""Why an item does not load, for people: the reason, the switch that decides, and what would change it."""

from __future__ import annotations

from pisces.discovery.state import ACTIVE, INVALID, OFF, REFUSED, SHADOWED, UNTRUSTED, WAITING
from pisces.ui.plain import shortened
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Candidate
    from pisces.places import Places
    from pisces.ui.screen import Screen

STYLES = {
    ACTIVE: "green",
    OFF: "yellow",
    UNTRUSTED: "yellow",
    WAITING: "yellow",
    SHADOWED: "dim",
    INVALID: "red",
    REFUSED: "red",
}


def reason_lines(candidate: Candidate, indent: str, places: Places, screen: Screen, before: str = "") -> Iterator[str]:
    """Nothing for an active item. `before` says in which harness."""
    if candidate.state == ACTIVE:
        return
    state = screen.styled(candidate.state, STYLES[candidate.state])
    yield f"{indent}{before}{state}: {visible(shortened(candidate.reason, places))}"
    held = candidate.held
    if held and held.path:
        line = f":{held.line}" if held.line else ""
        yield f"{indent}  in {visible(places.shown(held.path))}{line}"
    if held and held.change:
        yield f"{indent}  {screen.styled('hint:', 'cyan')} {visible(shortened(held.change, places))}"
