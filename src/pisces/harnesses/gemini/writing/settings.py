"""What an extension asks its user for. Gemini CLI knows a name, a text and whether it is a secret."""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, lost, mapped
from pisces.harnesses.gemini.writing.names import LABEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginSetting
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

    Entry: TypeAlias = dict[str, Any]

_HANDLED = ("title", "name", "key", "description", "sensitive", "env_var", "envVar", "env", "secret")


def written_settings(
    plan: ExtensionPlan, secrets: Iterable[str], output: str
) -> tuple[list[dict[str, Any]], list[Fate]]:
    made: list[Entry] = []
    fates: list[Fate] = []
    for setting in plan.plugin.settings:
        entry = _entry(setting, plan.names.variables[setting.name])
        made.append(entry)
        fates += [mapped(setting, output), *_losses(setting, plan)]
    taken = {each["envVar"] for each in made}
    for name in secrets:
        if name not in taken:
            made.append(_named(name, "A secret that a server of this extension needs", name, sensitive=True))
    return made, fates


def unsettable(plan: ExtensionPlan) -> list[Fate]:
    """Outside of a package nobody is asked: the variables come from the environment."""
    return [
        lost(APPROXIMATED, CHANGED_MEANING, each, f"{LABEL} asks for no settings here").replace(
            fix=f"set the environment variable `{plan.names.variables[each.name]}`"
        )
        for each in plan.plugin.settings
    ]


def _entry(setting: PluginSetting, variable: str) -> Entry:
    title = setting.title or setting.name
    return _named(title, setting.description or title, variable, sensitive=setting.sensitive)


def _named(name: str, description: str, variable: str, *, sensitive: bool) -> Entry:
    made: Entry = {"name": name, "description": description, "envVar": variable}
    return {**made, "sensitive": True} if sensitive else made


def _losses(setting: PluginSetting, plan: ExtensionPlan) -> list[Fate]:
    return [
        lost(DROPPED, LOST_FIELD, setting, f"a setting of {LABEL} has no `{key}`", field=key)
        for key in setting.fields
        if key not in _HANDLED and (setting.path, key) not in plan.reported
    ]
