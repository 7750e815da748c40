"""`/trust [revoke]`: what this project would run, and whether it may."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.formats.masking import masked_line
from pisces.formats.visible import visible
from pisces.gates.coverable import coverable
from pisces.gates.trust import remember_trust
from pisces.gates.trusted import SAME, trust_in
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import print_problems, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.gates.workspace import Covered
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    places, host = call.session.places, call.session.host
    if call.args.strip() == "revoke":
        remember_trust(places, lambda trust: trust.without(places.cwd))
        await host.refresh()
        say(call.screen, "not trusted any more: nothing that this project brings runs")
        return
    covered, problems = await asyncio.to_thread(coverable, places)
    trust = trust_in(places)
    if covered and all(trust.state_of(each, places.cwd) == SAME for each in covered):
        say(call.screen, f"trusted, and nothing changed: {len(covered)} things. `/trust revoke` takes it back")
        return
    if not covered:
        say(call.screen, "nothing in this project would run by itself, so there is nothing to trust")
        return
    print_problems(call.screen, problems, places)
    chosen = await choice(
        call.screen, _question(covered, call), [Option("no", "", "n"), Option("trust all of it", "", "y")]
    )
    if chosen != 1:
        say(call.screen, "nothing was decided", "dim")
        return
    now, _ = await asyncio.to_thread(coverable, places)
    if now != covered:
        say(call.screen, "what would run changed while you were asked; nothing is trusted", "bad")
        return
    remember_trust(places, lambda trust: trust.including(places.cwd, covered))
    await host.refresh()
    say(call.screen, f"trusted: {len(covered)} things, as they are now", "good")


def _question(covered: Sequence[Covered], call: ScreenCall) -> str:
    trust, cwd = trust_in(call.session.places), call.session.places.cwd
    rows = ((trust.state_of(each, cwd), each.kind, each.name, masked_line(each.text)) for each in covered)
    lines = [visible(" ".join(row).rstrip()) for row in rows]
    return "\n".join(("With your rights this would run (pgup, pgdn scroll):", *lines))


def _words(_session: Session) -> Sequence[tuple[str, str]]:
    return [("revoke", "nothing that this project brings runs any more")]


COMMAND = ScreenCommand("trust", "what this project would run, and whether it may", _run, _words)
