"""May this command line of a prompt file run? Shown exactly; allowed once, for the session, or never."""

from __future__ import annotations

from pisces.gates.approvals import approvals_in, remember_never
from pisces.shapes.request import NEVER, ONCE, SESSION, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.shapes.request import Ask, Gate, Request


def line_gate(ask: Ask, places: Places) -> Gate:
    """A gate that lives as long as a session: it remembers what was allowed in it."""
    never = set(approvals_in(places).never)
    allowed: set[tuple[str, str]] = set()

    def decide(request: Request) -> Verdict:
        if request.exact in never:
            return Verdict(False, "you said that it never runs", "edit approvals.json in the agent folder to undo that")
        if (request.exact, request.cwd) in allowed:
            return Verdict(True)
        answer = ask(request, "")
        if answer == SESSION:
            allowed.add((request.exact, request.cwd))
        if answer == NEVER:
            never.add(request.exact)
            remember_never(places, request.exact)
        if answer in (ONCE, SESSION):
            return Verdict(True)
        return Verdict(False, "it was not allowed", "a terminal asks; --yes allows what this call needs")

    return decide
