"""`/doctor`: what is wrong here, and what runs by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.discovery.capabilities import HOOKS, MCP_SERVERS, MODULES
from pisces.discovery.harness import Run, all_harnesses
from pisces.discovery.named_packages import LABEL
from pisces.scanning.acting import what_acts
from pisces.ui.terminal.listing import print_facts, print_problems, say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.titles import title_of

if TYPE_CHECKING:
    from pisces.discovery.capability import Capability
    from pisces.host.host import Host
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    places, host = call.session.places, call.session.host
    acting = await asyncio.to_thread(lambda: list(what_acts(all_harnesses(), places, Run())))
    facts = [("dangerous", f"{each.act.kind} {each.act.name}: {each.act.text}") for each in acting if each.dangerous]
    foreign = [f"{each.act.kind} {each.act.name}" for each in acting if not each.yours and not each.dangerous]
    facts += [("of this project", ", ".join(dict.fromkeys(foreign)))]
    yours = sum(each.yours for each in acting)
    facts += [("yours", f"{yours} thing{'' if yours == 1 else 's'}" if yours else "")]
    facts += [("named for this run", _named(host))]
    facts += [("trusted", _trusted(call))] if foreign or host.is_trusted else []
    facts = facts if any(text for _, text in facts) else [("", "nothing")]
    print_facts(call.screen, "what runs by itself", facts)
    print_problems(call.screen, host.diagnostics, places)
    if not host.diagnostics:
        say(call.screen, "nothing is wrong with what was read", "good")


def _named(host: Host) -> str:
    kinds: tuple[Capability[Any], ...] = (HOOKS, MCP_SERVERS, MODULES)
    found = [(kind, each) for kind in kinds for each in host.found(kind) if each.source.label == LABEL]
    return ", ".join(f"{kind.singular} {title_of(kind.id, each.item)}" for kind, each in found)


def _trusted(call: ScreenCall) -> str:
    return "yes" if call.session.host.is_trusted else "no, so nothing of this project runs: `/trust`"


COMMAND = ScreenCommand("doctor", "what is wrong here, and what runs by itself", _run)
