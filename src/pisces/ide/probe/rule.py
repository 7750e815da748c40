"""One rule for companions: what must or should hold, and the check."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pisces.ide.probe.subject import ProbeSubject
from pisces.value import Value

Ask = Callable[[ProbeSubject], Awaitable["Finding"]]

PASSED = "kept"  # the word in the output
BROKEN = "broken"
SKIPPED = "skipped"
MUST = "must"
SHOULD = "should"


class Finding(Value):
    """`detail` says what was observed."""

    verdict: str
    detail: str = ""


class ProbeRule(Value):
    """`title` says what holds if the rule passes."""

    id: str
    level: str
    title: str
    ask: Ask


class Probed(Value):
    rule: ProbeRule
    finding: Finding

    @property
    def is_violation(self) -> bool:
        return self.finding.verdict == BROKEN and self.rule.level == MUST


def passed(detail: str = "") -> Finding:
    return Finding(PASSED, detail)


def broken(detail: str) -> Finding:
    return Finding(BROKEN, detail)


def judged(problems: list[str]) -> Finding:
    return broken("; ".join(problems)) if problems else passed()
