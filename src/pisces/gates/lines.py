"""May this command line of a prompt file run? Shown exactly; allowed once, for the session, for good, or never."""

from __future__ import annotations

from pisces.gates.allowed_lines import allow_line, is_allowed
from pisces.gates.approvals import approvals_in, remember_never
from pisces.gates.judge import USER, Gate
from pisces.places import Places
from pisces.shapes.request import ALWAYS, NEVER, ONCE, SESSION, LineRequest, Request
from pisces.shapes.verdict import ALLOW, DENY, Verdict


class LineGates:
    """Lives as long as a session and remembers what was allowed in it. `gates` go into the list of gates."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._allowed: set[tuple[str, str]] = set()
        self.gates = (Gate("approvals", self._judged, None),)

    def _judged(self, request: Request) -> Verdict | None:
        if not isinstance(request, LineRequest):
            return None
        if request.exact in approvals_in(self._places).never:
            hint = "`pisces commands lines --forget` undoes that"
            return Verdict(DENY, USER, "you said that it never runs", hint)
        if (request.exact, request.cwd) in self._allowed:
            return Verdict(ALLOW, USER, "you allowed it for this session")
        if is_allowed(self._places, request):
            return Verdict(ALLOW, USER, "you allowed it for good")
        return None

    def answered(self, request: LineRequest, answer: str, who: str = USER) -> Verdict:
        """The verdict that an answer stands for: once, session, always, never or no. Anything else is a no."""
        if answer == SESSION:
            self._allowed.add((request.exact, request.cwd))
        if answer == ALWAYS and not allow_line(self._places, request):
            return Verdict(DENY, who, "the file that it is in cannot be read", "allow it once instead")
        if answer == NEVER:
            remember_never(self._places, request.exact)
        if answer in (ONCE, SESSION, ALWAYS):
            return Verdict(ALLOW, who)
        return Verdict(DENY, who, "it was not allowed", "a terminal asks; --yes allows what this call needs")
