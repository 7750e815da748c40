"""The rules for companions, and checks a running companion against all of them. A rule that raises counts as broken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pisces.by_name import export_of, names_in
from pisces.ide.client.wire import Failed, Unreachable
from pisces.ide.probe.subject import ProbeSubject, ProbeTarget, Skip
from pisces.value import Value

Ask = Callable[[ProbeSubject], Awaitable["Finding"]]

PASSED = "kept"  # the word in the output
BROKEN = "broken"
SKIPPED = "skipped"
MUST = "must"
SHOULD = "should"
_RULES = "pisces.ide.probe.rules"
_SECONDS = 60.0


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


def probe_rules() -> list[ProbeRule]:
    return [rule for name in names_in(_RULES) for rule in export_of(_RULES, name, "RULES")]


async def probed(target: ProbeTarget) -> list[Probed]:
    async with ProbeSubject(target) as subject:
        return [Probed(rule, await _asked(rule, subject)) for rule in probe_rules()]


async def _asked(rule: ProbeRule, subject: ProbeSubject) -> Finding:
    is_of_file = rule.id.startswith("file-")
    if subject.connection is None and rule.id != "reachable" and not is_of_file and await _is_closed(subject):
        return Finding(SKIPPED, "nobody listens there")
    try:
        async with asyncio.timeout(_SECONDS + subject.target.patience):
            await subject.renew()
            return await rule.ask(subject)
    except Skip as reason:
        return Finding(SKIPPED, str(reason))
    except (Unreachable, Failed) as error:
        return broken(f"the companion {error}")
    except TimeoutError:
        return broken("no answer in time")
    except (OSError, ValueError) as error:
        return broken(str(error))


async def _is_closed(subject: ProbeSubject) -> bool:
    try:
        await subject.stream_status()
    except Unreachable as error:
        return "cannot be reached" in str(error)
    return False
