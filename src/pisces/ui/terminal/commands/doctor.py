"""`/doctor`: what is wrong here, and what runs by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.discovery.harness import Run, all_harnesses
from pisces.scanning.acting import what_acts
from pisces.ui.terminal.listing import print_facts, print_problems, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    places, host = call.session.places, call.session.host
    acting = await asyncio.to_thread(lambda: list(what_acts(all_harnesses(), places, Run())))
    facts = [("dangerous", f"{each.act.kind} {each.act.name}: {each.act.text}") for each in acting if each.dangerous]
    foreign = [f"{each.act.kind} {each.act.name}" for each in acting if not each.yours and not each.dangerous]
    facts += [("of this project", ", ".join(dict.fromkeys(foreign)))]
    facts += [("yours", f"{sum(each.yours for each in acting)} things run by themselves")]
    facts += [("trusted", _trusted(call))] if foreign or host.is_trusted else []
    print_facts(call.screen, "what runs by itself", facts)
    print_problems(call.screen, host.diagnostics, places)
    if not host.diagnostics:
        say(call.screen, "nothing is wrong with what was read", "good")


def _trusted(call: ScreenCall) -> str:
    return "yes" if call.session.host.is_trusted else "no, so nothing of this project runs: `/trust`"


COMMAND = ScreenCommand("doctor", "what is wrong here, and what runs by itself", _run)
