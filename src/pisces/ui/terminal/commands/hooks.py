"""`/hooks [EVENT]`: hooks that fire here, by event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.discovery.capabilities import HOOKS
from pisces.ui.terminal.listing import print_list
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    wanted, places = call.args.strip().lower(), call.session.places
    found = [each for each in call.session.host.found(HOOKS) if wanted in str(each.item.event).lower()]
    rows = [
        (title_of(HOOKS.id, each.item), f"{_command(each.item)} ({places.shown(each.source.path)})") for each in found
    ]
    note = "what a project brings fires only while it is trusted: `/trust`"
    print_list(call, f"hooks {wanted}".strip(), rows, "" if call.session.host.is_trusted else note)


def _command(hook: object) -> str:
    return str(getattr(hook, "command", "") or getattr(hook, "url", "") or getattr(hook, "type", ""))


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [(event, "") for event in dict.fromkeys(str(each.item.event) for each in session.host.found(HOOKS))]


COMMAND = ScreenCommand("hooks", "hooks that fire here", _run, _words)
