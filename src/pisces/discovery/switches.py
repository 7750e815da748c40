"""What the user's and the project's settings switch off: `disabledProviders` and `disabledExtensions`.

User settings are `~/.pisces/agent/config.yml`, project settings `.pisces/settings.json`; both lists add up, because a
project may switch more off and never anything on.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.own_switches import ITEMS, own_settings
from pisces.discovery.registry import Switches
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.malformed import Malformed
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


SETTINGS_UNREADABLE = Rule("settings-unreadable", WARNING, "A pisces settings file cannot be read")


def configured_switches(places: Places) -> tuple[Switches, list[Diagnostic]]:
    harnesses: set[str] = set()
    items: set[str] = set()
    diagnostics: list[Diagnostic] = []
    for path, syntax in own_settings(places):
        values = settings_at(path, syntax)
        if isinstance(values, Diagnostic):
            diagnostics.append(values)
            continue
        harnesses.update(setting_texts(values, "disabledProviders"))
        items.update(setting_texts(values, ITEMS))
    return Switches(frozenset(harnesses), frozenset(items)), diagnostics


def settings_at(path: str, syntax: str) -> dict[str, Any] | Diagnostic:
    """A settings file of pisces; empty where there is none."""
    try:
        text = read_text(path)
        values = export_of("pisces.formats", syntax, "parse")(text)  # YAML is loaded only where somebody uses it
    except Unreadable as error:
        if error.kind == MISSING:
            return {}
        return SETTINGS_UNREADABLE.at(path, f"the settings file {error.message}")
    except Malformed as error:
        return SETTINGS_UNREADABLE.at(path, error.message, place=(error.line, error.column))
    return values if isinstance(values, dict) else {}


def setting_texts(values: dict[str, Any] | Diagnostic, key: str) -> list[str]:
    """The texts of a list; none where the file is broken."""
    listed = None if isinstance(values, Diagnostic) else values.get(key)
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
