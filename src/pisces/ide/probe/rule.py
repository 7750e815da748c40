"""One rule for companions: what must or should be so, and the question that finds out."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pisces.ide.probe.subject import ProbeSubject

    Ask = Callable[[ProbeSubject], Awaitable["Finding"]]

PASSED = "kept"
BROKEN = "broken"
SKIPPED = "skipped"
MUST = "must"
SHOULD = "should"


class Finding(Value):
    """`detail` is what was seen."""

    verdict: str
    detail: str = ""


class ProbeRule(Value):
    """`title` says what is so when the rule is kept."""

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


def skipped(detail: str) -> Finding:
    return Finding(SKIPPED, detail)


def judged(problems: list[str], detail: str = "") -> Finding:
    """Kept where there is no problem."""
    return broken("; ".join(problems)) if problems else passed(detail)
