"""`/why NAME`: harness by harness, what loads under a name, what does not, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.discovery.registry import harnesses_for
from pisces.discovery.standing import standing
from pisces.discovery.state import ACTIVE
from pisces.discovery.switches import configured_switches
from pisces.ui.terminal.listing import print_facts, say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.places import Places
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    name = call.args.strip().removeprefix("/")
    if not name:
        say(call.screen, "`/why NAME`: a command, skill, server, hook event, extension", "warn")
        return
    found = list(_verdicts(name, call.session.places))
    if found:
        print_facts(call.screen, f"why {name}", found)
    else:
        say(call.screen, f"nothing here is called `{name}`", "warn")


def _verdicts(name: str, places: Places) -> Iterator[tuple[str, str]]:
    run = Run()
    harnesses = harnesses_for(places, configured_switches(places)[0], run)
    for harness, kind in ((harness, kind) for harness in harnesses for kind in CAPABILITIES):
        for each in standing(harness, kind, places, run).candidates:
            item = each.found.item
            known = {title_of(kind.id, item).lstrip("/"), *(getattr(item, key, "") for key in ("name", "event"))}
            if name in known:
                state = f"does not load: {each.state} {each.reason}".rstrip()
                does = "loads" if each.state == ACTIVE else state
                yield harness.label, f"{kind.singular} {does} ({places.shown(each.found.source.path)})"


COMMAND = ScreenCommand("why", "what loads under a name, and why not", _run)
