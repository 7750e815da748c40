"""What keeps hooks of Claude Code from running: `disableAllHooks`, the administrator, and files that are refused.

For `disableAllHooks` the strongest file that has it decides; only the administrator's file can switch off the
administrator's hooks. A broken guard in the administrator's file costs the hooks there, not the rest of the file.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.found import MANAGED
from pisces.discovery.harness import Where
from pisces.discovery.state import OFF, REFUSED, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.locked import ASK, locked
from pisces.harnesses.claude.settings import SettingHere, refusal_of, setting


def all_off(where: Where[WithSettings]) -> SettingHere | None:
    """The setting that switches off every hook, if one does."""
    found = setting(where, "disableAllHooks")
    return found if found and found.value is True else None


def held_in_settings(level: str, path: str, where: Where[WithSettings]) -> State | None:
    """Why the hooks of a settings file do not run."""
    file = config_at(path, MARKED, where.run)
    if not isinstance(file, ConfigFile) or not isinstance(file.value, dict) or "hooks" not in file.value:
        return None
    refused = _guards_lost(file) if level == MANAGED else refusal_of(file, where.run)
    if refused:
        return refused
    off = all_off(where)
    if off and (level != MANAGED or off.level == MANAGED):
        return _off(off)
    return None if level == MANAGED else only_managed(where) or locked("hooks", where)


def held_in_plugins(switch: SettingHere | None, where: Where[WithSettings]) -> State | None:
    """Why the hooks of a plugin do not run; `switch` is the setting that switches the plugin on."""
    off = all_off(where)
    if off:
        return _off(off)
    return None if switch and switch.level == MANAGED else only_managed(where)


def only_managed(where: Where[WithSettings]) -> State | None:
    found = setting(where, "allowManagedHooksOnly", managed=True)
    return (
        found.state(OFF, "{key} allows the administrator's hooks only", ASK) if found and found.value is True else None
    )


def _off(off: SettingHere) -> State:
    return off.state(OFF, "{key} switches off every hook", "remove {key}, or set it to `false`")


def _guards_lost(file: ConfigFile) -> State | None:
    flaw = export_of("pisces.harnesses.claude", "settings_shape", "guard_flaw")(file.value["hooks"])
    if flaw is None:
        return None
    reason = f"Claude Code refuses all hooks of this file: {flaw[1]}"
    return State(REFUSED, reason, file.path, file.place(*flaw[0])[0], ASK)
