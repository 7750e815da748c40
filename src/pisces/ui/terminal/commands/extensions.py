"""`/extensions [NAME | enable NAME | disable NAME]`: packages and modules that are in force here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.by_name import export_of
from pisces.discovery.capabilities import CAPABILITIES, MODULES, PACKAGES
from pisces.ui.terminal.listing import first_line, print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall

_ACTS = ("enable", "disable")
_SWITCH = "`/extensions disable {}` switches it off"


async def _run(call: ScreenCall) -> None:
    host, name = call.session.host, call.args.strip()
    act, _, rest = name.partition(" ")
    if act in _ACTS:
        await export_of("pisces.ui.terminal", "switching", "switch_package")(call, act, rest)
        return
    packages = {str(each.item.name): each for each in host.found(PACKAGES)}
    if name and name not in packages:
        say(call.screen, f"no extension `{name}` is in force here; `/why {name}` looks further", "warn")
    elif name:
        found = packages[name]
        brings = [
            (kind.plural, ", ".join(title_of(kind.id, each.item) for each in host.found(kind) if each.package == name))
            for kind in CAPABILITIES
        ]
        facts = [("", first_line(found.item.fields.get("description"))), ("from", found.source.label)]
        path = ("folder", call.session.places.shown(str(found.item.path)))
        print_facts(call.screen, f"{name} {found.item.version}", [*facts, path, *brings, ("", _SWITCH.format(name))])
    else:
        rows = [(key, f"{each.item.version} {each.source.label}".strip()) for key, each in packages.items()]
        rows += [(str(each.item.name), f"a module ({each.source.level})") for each in host.found(MODULES)]
        print_list(call, "extensions", rows, "`/extensions NAME` says more; `pisces extensions install` adds one")


def _words(session: Session) -> Sequence[tuple[str, str]]:
    installed = export_of("pisces.ui.terminal", "switching", "installed_names")(session.places)
    found = {str(each.item.name): each.source.label for each in session.host.found(PACKAGES)}
    return [(act, "switch one on or off") for act in _ACTS] + [*({**dict.fromkeys(installed, "off"), **found}).items()]


COMMAND = ScreenCommand("extensions", "extensions that are in force here", _run, _words)
