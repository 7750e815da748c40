"""`/commands [NAME]`: slash commands of files, packages, modules and servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import first_line, print_facts, print_list, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    host, name = call.session.host, call.args.strip().removeprefix("/")
    entry = host.commands.names.get(name)
    if name and entry is None:
        say(call.screen, f"no file brings a command `/{name}`", "warn")
    elif entry is not None:
        kind = "a prompt for the model" if entry.calls_model else "a program"
        facts = [("", entry.command.description), ("is", kind), ("from", entry.origin)]
        path = call.session.places.shown(entry.command.path)
        print_facts(call.screen, f"/{entry.name}", [*facts, ("file", path), ("always works", f"/{entry.qualified}")])
    else:
        print_list(call, "commands", _rows(call.session), "`/commands NAME` says more")


def _rows(session: Session) -> list[tuple[str, str]]:
    host = session.host
    found = [
        (f"/{each.name}", f"{first_line(each.command.description)} ({each.origin})") for each in host.commands.entries
    ]
    found += [
        (f"/{name}", f"{first_line(each.description)} (extension)") for name, each in host.module_commands.items()
    ]
    found += [(f"/{name}", f"{first_line(each.description)} (server)") for name, each in host.server_prompts.items()]
    return found


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [(each.name, first_line(each.command.description)) for each in session.host.commands.entries]


COMMAND = ScreenCommand("commands", "slash commands of files, extensions and servers", _run, _words)
