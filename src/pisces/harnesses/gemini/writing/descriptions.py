"""What an item says of itself, where Gemini CLI demands something."""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_COMPONENT, lost
from pisces.harnesses.gemini.writing.names import LABEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginAgent, PluginCommand, PluginSkill

_LONGEST = 200


def described(item: PluginAgent | PluginCommand | PluginSkill) -> str:
    """Never empty: without a description the first line of the text, without that the name."""
    return item.description.strip() or _first_line(item.prompt.written) or item.name


def _first_line(text: str) -> str:
    for line in text.splitlines():
        plain = line.strip().lstrip("#>*- ").strip()
        if plain and not plain.startswith(("```", "<", "---")):
            return plain[:_LONGEST]
    return ""


def renamed(item: PluginAgent | PluginCommand | PluginSkill, before: str, name: str) -> list[Fate]:
    if before == name:
        return []
    return [lost(APPROXIMATED, CHANGED_MEANING, item, f"{LABEL} knows it as `{name}`", field="name")]


def left_out(item: PluginAgent | PluginCommand | PluginSkill) -> Fate:
    why = f"it is not meant for {LABEL}" if item.targets else "nobody may start it, or it was left out as asked"
    return lost(DROPPED, LOST_COMPONENT, item, why)
