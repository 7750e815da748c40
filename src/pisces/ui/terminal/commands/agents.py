"""`/agents [NAME]`: subagents that are in force here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import first_line, print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    agents, name = {str(each.item.name): each for each in call.session.host.subagents}, call.args.strip().lstrip("@")
    if name and name not in agents:
        say(call.screen, f"there is no subagent `{name}` in force here", "warn")
    elif name:
        found = agents[name]
        path = call.session.places.shown(found.item.path)
        tools = ", ".join(map(str, getattr(found.item, "tools", None) or ())) or "those of the model"
        facts = [("", found.item.description or ""), ("tools", tools), ("from", found.source.label), ("file", path)]
        print_facts(call.screen, f"@{name}", facts)
    else:
        rows = [(f"@{each}", first_line(found.item.description)) for each, found in agents.items()]
        print_list(call, "subagents", rows, "`@name task` starts one; `/agents NAME` says more")


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [(str(each.item.name), first_line(each.item.description)) for each in session.host.subagents]


COMMAND = ScreenCommand("agents", "subagents that are in force here", _run, _words)
