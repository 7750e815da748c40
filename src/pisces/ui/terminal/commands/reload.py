"""`/reload`: everything that was found is read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import print_problems, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    problems = await call.session.host.refresh()
    say(call.screen, "read again: commands, skills, agents, hooks, rules, servers, context, extensions", "dim")
    print_problems(call.screen, problems, call.session.places)


COMMAND = ScreenCommand("reload", "read everything again that was found", _run)
