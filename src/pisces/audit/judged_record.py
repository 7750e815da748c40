"""What `gates/judge.py` says about a request, as a record. Loaded with the first request."""

from __future__ import annotations

from pisces.audit.record import JudgedRecord
from pisces.audit.shortened import input_text
from pisces.shapes.request import INSTALL, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.shapes.verdict import Judged

_PLACES = ("path", "level", "package", "event", "cwd", "sha256")


def record_of(judged: Judged) -> JudgedRecord:
    request, verdict = judged.request, judged.verdict
    name, text = _named(request)
    return JudgedRecord(
        request.KIND,
        name,
        text,
        verdict.decision,
        verdict.who,
        verdict.why,
        *_placed(request),
        tuple([{"who": each.who, "decision": each.decision} for each in judged.verdicts]),
        tuple([change.who for change in judged.changes]),
        getattr(request, "agent", ""),
        getattr(request, "agent_id", ""),
    )


def _named(request: Any) -> tuple[str, str]:
    """What people call it, and to the letter what would run. Large inputs are written out in part."""
    if request.KIND == TOOL:
        return request.call.tool, input_text(request.call.input)
    if request.KIND == INSTALL:
        return request.card.name, request.exact
    return getattr(request, "command", "") or getattr(request, "name", ""), request.exact


def _placed(request: Any) -> tuple[str, str, str, str, str, str]:
    if request.KIND == TOOL:
        return "", "", "", "", request.cwd, ""
    path, level, package, event, cwd, sha256 = [str(getattr(request, name, "")) for name in _PLACES]
    return path, level, package, event, cwd, sha256
