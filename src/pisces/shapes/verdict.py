"""The answer to a request: allow, ask or deny, with who said so and why."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from pisces.shapes.note import Note
    from pisces.shapes.request import Request

    Judge: TypeAlias = Callable[[Request], "Judged"]  # the whole list of gates, as callers see it

ALLOW, ASK, DENY = "allow", "ask", "deny"


class Verdict(Value):
    """`who` is a gate, the user, or an option; `why` is a reason for people; `hint` is what to do about a denial.

    `rule` is the number of our rule (docs/conformance.md) by which this is stricter than the harness itself, 0 if none.
    """

    decision: str
    who: str = ""
    why: str = ""
    hint: str = ""
    rule: int = 0

    @classmethod
    def allow(cls, why: str = "") -> Verdict:
        return cls(ALLOW, why=why)

    @classmethod
    def ask(cls, why: str = "") -> Verdict:
        """Whoever confirms decides, unless another gate denies."""
        return cls(ASK, why=why)

    @classmethod
    def deny(cls, why: str, hint: str = "") -> Verdict:
        return cls(DENY, why=why, hint=hint)

    @property
    def is_allowed(self) -> bool:
        return self.decision == ALLOW


class Change(Value):
    """A gate changed the request: `request` is what it became."""

    who: str
    request: Request


class Judged(Value):
    """What came of a request. `request` is what may run, as every gate has seen it: changes are in it.

    `verdict` allows or denies. `verdicts` are those of all gates that had one, in their order, and of the user.
    `notes` are what hooks said beside their decision.
    """

    request: Request
    verdict: Verdict
    verdicts: tuple[Verdict, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[Note, ...] = ()
