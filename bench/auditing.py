"""What the audit log costs a call: the best of many measurements, as a busy machine can only slow them down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from timeit import Timer

from bench.result import Outcome, Result
from pisces.audit.log import AuditLog, AuditOptions
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import ALLOW, Judged, Verdict

EACH = 50
MANY = 101
LIMITS = (
    ("a call in the audit log", {"command": "git status --short && pytest -q tests/house"}, 0.04),
    ("a call with a secret", {"command": "curl -H 'Authorization: Bearer abcdefgh12345678'"}, 0.2),
    ("a call with an input of 10 MB", {"content": "a line of a file\n" * 600_000}, 1.0),
)


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    log = AuditLog(str(folder / "log.jsonl"), AuditOptions(str(folder), secrets=("hunter2hunter2",)))
    for what, given, limit in LIMITS:
        judged = Judged(
            ToolRequest(ToolCall("bash", "call-1", given), str(folder)),
            Verdict(ALLOW, "rules", "reads only"),
            (Verdict(ALLOW, "rules"), Verdict(ALLOW, "module.py")),
        )
        ours = _milliseconds(_recorded(log, judged), rounds)
        names = what, f"a limit of {limit * 1000:.0f} microseconds"
        yield Result(*names, limit, ours, "wall", ours / limit, at_most=1)
    log.close()


def _recorded(log: AuditLog, judged: Judged) -> Callable[[], None]:
    return lambda: log.judged(judged)


def _milliseconds(act: Callable[[], None], rounds: int) -> float:
    timer = Timer(act)
    return min(timer.timeit(EACH) for _ in range(max(rounds, MANY))) * 1000 / EACH
