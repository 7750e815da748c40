"""What the audit log costs a call, beside a bare line of JSON that is written; in turns, the best of many.

On an idle machine of 2026 a bare line takes 6 microseconds and a record 30.
"""

from __future__ import annotations

import json
import os
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
RECORD = {
    "at": "2026-11-16T08:00:00.125Z",
    "session": "0123456789ab",
    "workspace": "/home/ada/shop",
    "what": "judged",
    "kind": "tool",
    "name": "bash",
    "text": '{"command": "git status --short && pytest -q tests/house"}',
    "decision": "allow",
    "who": "rules",
    "why": "reads only",
    "cwd": "/home/ada/shop",
    "verdicts": [{"who": "rules", "decision": "allow"}, {"who": "module.py", "decision": "allow"}],
}
GOALS = (
    ("a call in the audit log", {"command": "git status --short && pytest -q tests/house"}, 8),
    ("a call with a secret", {"command": "curl -H 'Authorization: Bearer abcdefgh12345678'"}, 30),
    ("a call with an input of 10 MB", {"content": "a line of a file\n" * 600_000}, 120),
)


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    log = AuditLog(str(folder / "log.jsonl"), AuditOptions(str(folder), secrets=("hunter2hunter2",)))
    bare = os.open(folder / "bare.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    encode = json.JSONEncoder().encode

    def write_bare() -> None:
        os.write(bare, encode(RECORD).encode("ascii") + b"\n")

    for what, given, goal in GOALS:
        judged = Judged(
            ToolRequest(ToolCall("bash", "call-1", given), str(folder)),
            Verdict(ALLOW, "rules", "reads only"),
            (Verdict(ALLOW, "rules"), Verdict(ALLOW, "module.py")),
        )
        timers = Timer(_recorded(log, judged)), Timer(write_bare)
        taken = [[timer.timeit(EACH) * 1000 for timer in timers] for _ in range(max(rounds, MANY))]
        ours, theirs = (min(column) for column in zip(*taken, strict=True))
        yield Result(f"{what}, {EACH} times", "a bare line", theirs, ours, "wall", ours / theirs, at_most=goal)
    log.close()
    os.close(bare)


def _recorded(log: AuditLog, judged: Judged) -> Callable[[], None]:
    return lambda: log.judged(judged)
