"""What becomes of a hook that is switched off in its own file, or that a flaw takes away with all others of it."""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.state import OFF, REFUSED, State, switched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.discovery.config_file import ConfigFile
    from pisces.shapes.field import Keys

HOOK_OFF = Rule("hook-off", NOTE, "A hook is switched off where it is configured")


def hook_off(file: ConfigFile, keys: Keys, name: str) -> Diagnostic:
    return HOOK_OFF.at(file.path, f"hook `{name}` is switched off", place=file.place(*keys), about=name)


def hook_held(file: ConfigFile, keys: Keys, switch: str) -> State:
    """The state of such a hook; `keys` lead to what has the key `switch`."""
    reason = f"`{switch}` is false where it is configured"
    return switched(OFF, reason, file, (*keys, switch), f"set `{switch}` to true")


def all_or_none(found: Iterable[Found | Diagnostic], label: str) -> Iterator[Found | Diagnostic]:
    """One error takes every hook of a file away: they are found, and refused."""
    found = list(found)
    flaw = next((each for each in found if isinstance(each, Diagnostic) and each.severity == ERROR), None)
    for each in found:
        if isinstance(each, Found) and flaw:
            reason = f"{label} drops every hook of a file with an error: {flaw.message}"
            each = each.replace(held=State(REFUSED, reason, flaw.path, flaw.line, "mend that error"))
        yield each
