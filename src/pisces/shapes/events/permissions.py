"""Somebody has to agree before something runs: the question, and the decision."""

from __future__ import annotations

from pisces.shapes.event import Event
from pisces.shapes.verdict import ALLOW, DENY
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self

    from pisces.shapes.note import Note


class PermissionAsked(Event):
    """A question is about to be put to the user. Handlers may answer it; any denial wins over every allow.

    `kind` is the kind of request. `who` wants the question, and `why`. A handler that fails has not answered.
    """

    NAME = "permission_request"

    kind: str
    tool: str = ""
    input: Mapping[str, Any] = EMPTY
    who: str = ""
    why: str = ""
    suggestions: Sequence[Mapping[str, Any]] = ()
    decision: str = ""
    reason: str = ""
    notes: Sequence[Note] = ()

    @property
    def is_settled(self) -> bool:
        return self.decision == DENY

    def allow(self) -> Self:
        return self.replace(decision=ALLOW).noted("allow")

    def deny(self, reason: str) -> Self:
        return self.replace(decision=DENY, reason=reason).noted("deny", stops=True)


class PermissionDecided(Event):
    """What was decided, by whom and why: by the user, a rule, a hook or a module."""

    kind: str
    tool: str = ""
    input: Mapping[str, Any] = EMPTY
    allowed: bool = False
    who: str = ""
    why: str = ""


class ToolApprovalRequested(Event):
    tool: str
    call_id: str
    reason: str = ""


class ToolApprovalResolved(Event):
    tool: str
    call_id: str
    approved: bool = False
