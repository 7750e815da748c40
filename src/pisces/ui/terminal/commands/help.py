"""`/help`: the commands of the program, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import print_list, say
from pisces.ui.terminal.own_commands import own_commands
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


_KEYS = "enter sends or queues, ctrl-s steers, esc stops, @ names files and agents, ctrl-c twice leaves"


async def _run(call: ScreenCall) -> None:
    rows = [(f"/{each.name}", each.summary) for each in own_commands().values()]
    room = max(call.screen.height - 9, 5)
    print_list(call, "commands of pisces", rows[:room], "`/` and a few letters finds any command")
    if rows[room:]:
        say(call.screen, "also " + " ".join(name for name, _ in rows[room:]))
    say(call.screen, _KEYS, "dim")


COMMAND = ScreenCommand("help", "the commands of pisces, and the keys", _run)
