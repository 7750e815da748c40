"""Resolves a typed line to its command: `/gallery list`, `/gallery:list` and `/my-ext:gallery list`.

The longest name wins. The error for an unknown name has suggestions, or says why the file of that name is broken.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.names.catalog import Catalog, CatalogEntry
    from pisces.diagnostics import Diagnostic

UNKNOWN_COMMAND = Rule("unknown-command", ERROR, "No command has this name")
CONTESTED_COMMAND = Rule("contested-command", ERROR, "Several packages bring a command of this name")
NOT_A_COMMAND = Rule("not-a-command", ERROR, "A line does not begin with `/`")

_MOST_WORDS = 4  # in a name: Claude Code takes file names with blanks
_LIST = "`pisces commands list` shows every command that can be typed here"


class Invocation(Value):
    """`raw` is the typed line, stripped. `args` is what follows the name."""

    entry: CatalogEntry
    raw: str
    args: str


def resolve(line: str, commands: Catalog) -> Invocation:
    """The command that a line calls. Raises `PiscesError` with what to type instead."""
    raw = line.strip()
    if raw in ("", "/"):
        raise PiscesError(NOT_A_COMMAND.at("", "no command was named", hint=_LIST))
    if not raw.startswith("/"):
        message, hint = f"`{raw}` is not a command", f"a command begins with `/`: `/{raw}`"
        raise PiscesError(NOT_A_COMMAND.at("", message, hint=hint))
    name, args = _parted(raw[1:], 1)
    found = _named(name, args, commands)
    if found is None:
        raise PiscesError(_unknown(name, commands))
    entry, args = found
    return Invocation(entry, raw, args)


def _named(name: str, args: str, commands: Catalog) -> tuple[CatalogEntry, str] | None:
    entry = commands.names.get(name)
    if entry is not None:
        return entry, args
    before, colon, subcommand = name.rpartition(":")
    entry = commands.names.get(before) if colon else None
    if entry and entry.command.executable and subcommand in entry.command.executable.subcommands:
        return entry, f"{subcommand} {args}".rstrip()
    return _of_several_words(f"{name} {args}", commands) if args else None


def _of_several_words(line: str, commands: Catalog) -> tuple[CatalogEntry, str] | None:
    for count in range(_MOST_WORDS, 1, -1):
        name, args = _parted(line, count)
        if name in commands.names:
            return commands.names[name], args
    return None


def _parted(text: str, words: int) -> tuple[str, str]:
    """The first words, joined by single blanks, and the rest as typed."""
    parts = text.split(None, words)
    return " ".join(parts[:words]), parts[words] if len(parts) > words else ""


def _unknown(name: str, commands: Catalog) -> Diagnostic:
    contested = commands.contested.get(name)
    if contested:
        names = [f"/{entry.qualified}" for entry in contested]
        message = f"`/{name}` is brought by {_listed([entry.package for entry in contested])}"
        return CONTESTED_COMMAND.at("", message, hint=f"type {' or '.join(names)}")
    for diagnostic in commands.diagnostics:
        if diagnostic.about == name and diagnostic.severity == ERROR:
            return diagnostic
    near = export_of("pisces.commands.names", "suggestions", "suggestions")(name, commands)
    hint = f"did you mean {' or '.join(f'`/{each}`' for each in near)}?" if near else _LIST
    return UNKNOWN_COMMAND.at("", f"no command is called `/{name}`", hint=hint)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
