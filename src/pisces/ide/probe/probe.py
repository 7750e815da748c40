"""Checks a running companion against all rules, one after the other. A rule that raises counts as broken."""

from __future__ import annotations

import asyncio

from pisces.by_name import export_of, names_in
from pisces.ide.client.wire import Failed, Unreachable
from pisces.ide.probe.rule import SKIPPED, Finding, Probed, ProbeRule, broken
from pisces.ide.probe.subject import ProbeSubject, ProbeTarget, Skip

_RULES = "pisces.ide.probe.rules"
_SECONDS = 60.0


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
