"""`/tools [NAME]`: what the model may call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import first_line, print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    tools, name = call.session.host.tools, call.args.strip()
    if name and name not in tools:
        say(call.screen, f"the model has no tool `{name}`", "warn")
    elif name:
        tool = tools[name]
        facts = [("", tool.description), ("of", tool.module or "pisces"), ("takes", json.dumps(tool.parameters))]
        print_facts(call.screen, name, facts)
    else:
        rows = [(each.name, first_line(each.description)) for each in tools.values()]
        print_list(call, f"{len(rows)} tools", rows, "`/tools NAME` says more")


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [(each.name, first_line(each.description)) for each in session.host.tools.values()]


COMMAND = ScreenCommand("tools", "what the model may call", _run, _words)
