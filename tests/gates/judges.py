"""Judges for tests of what is judged: one decision for each request, whatever the gates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pisces.shapes.request import Request
from pisces.shapes.verdict import ALLOW, DENY, Judged, Verdict

if TYPE_CHECKING:
    from pisces.shapes.verdict import Judge


def deciding(decide: Callable[[Any], bool]) -> Judge:
    return lambda request: judged(request, ALLOW if decide(request) else DENY)


def judged(request: Request, decision: str, why: str = "", hint: str = "") -> Judged:
    return Judged(request, Verdict(decision, "test", why, hint))
