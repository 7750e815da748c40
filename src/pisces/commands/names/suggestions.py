"""Suggestions for an unknown command name. Loaded only for a mistyped one."""

from __future__ import annotations

from difflib import get_close_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.commands.names.catalog import Catalog

_SUGGESTIONS = 3


def suggestions(name: str, commands: Catalog) -> list[str]:
    """Names close to an unknown one. The last part of a name counts too, as `commit` for `git:commit`."""
    lower = {each.lower(): each for each in reversed([*_typable(commands)])}
    near = _close(name.lower(), lower, 0.8) or _close(name.lower(), lower, 0.6)
    ends = [each for each in lower if each.rpartition(":")[2] == name.lower() or each.startswith(name.lower())]
    return list(dict.fromkeys(lower[each] for each in (*near, *ends)))[:_SUGGESTIONS]


def _close(name: str, known: Iterable[str], cutoff: float) -> list[str]:
    return get_close_matches(name, list(known), n=_SUGGESTIONS, cutoff=cutoff)


def _typable(commands: Catalog) -> list[str]:
    """The shortest name of each command, and of its subcommands."""
    shortest = {id(entry): name for name, entry in reversed([*commands.names.items()])}  # short names come first
    names = [shortest[id(entry)] for entry in commands.entries]
    for entry in commands.entries:
        if entry.command.executable:
            names += [f"{shortest[id(entry)]}:{each}" for each in entry.command.executable.subcommands]
    return names
