"""`/why NAME`: harness by harness, what loads under a name, what does not, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.discovery.named_packages import LABEL
from pisces.discovery.registry import harnesses_for
from pisces.discovery.standing import standing
from pisces.discovery.state import ACTIVE
from pisces.discovery.switches import configured_switches
from pisces.ui.terminal.listing import print_facts, say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    name = call.args.strip().removeprefix("/")
    if not name:
        say(call.screen, "`/why NAME`: a command, skill, server, hook event, extension", "warn")
        return
    found = [*_verdicts(name, call.session.places), *_named(name, call.session)]
    if found:
        print_facts(call.screen, f"why {name}", found)
    else:
        say(call.screen, f"nothing here is called `{name}`", "warn")


def _verdicts(name: str, places: Places) -> Iterator[tuple[str, str]]:
    run = Run()
    harnesses = harnesses_for(places, configured_switches(places)[0], run)
    for harness, kind in ((harness, kind) for harness in harnesses for kind in CAPABILITIES):
        for each in standing(harness, kind, places, run).candidates:
            if _is_called(name, kind, each.found):
                state = f"does not load: {each.state} {each.reason}".rstrip()
                does = "loads" if each.state == ACTIVE else state
                yield harness.label, f"{kind.singular} {does} ({places.shown(each.found.source.path)})"


def _named(name: str, session: Session) -> Iterator[tuple[str, str]]:
    """What was named for this run, which no harness has found."""
    for kind in CAPABILITIES:
        for each in session.host.found(kind):
            if each.source.label == LABEL and _is_called(name, kind, each):
                yield LABEL, f"{kind.singular} loads ({session.places.shown(each.source.path)})"


def _is_called(name: str, kind: Capability, found: Found[Any]) -> bool:
    item = found.item
    return name in {title_of(kind.id, item).lstrip("/"), *(getattr(item, key, "") for key in ("name", "event"))}


COMMAND = ScreenCommand("why", "what loads under a name, and why not", _run)
