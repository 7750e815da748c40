"""While safe mode is on, nothing that was found runs: the first gate in every list denies it, whoever allowed it.

Installing is not running: a package can be installed, updated and, above all, removed.
"""

from __future__ import annotations

from pisces.discovery.safe_mode import WHO, safe_state
from pisces.gates.judge import Gate
from pisces.shapes.request import INSTALL, Request
from pisces.shapes.verdict import DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places


def safe_gate(places: Places) -> Gate:
    state = safe_state(places)

    def judged(request: Request) -> Verdict | None:
        if state is None or request.KIND == INSTALL:
            return None
        return Verdict(DENY, WHO, state.reason, state.change)

    return Gate(WHO, judged, None)
