"""What is said of a hook that is switched off in its own file."""

from __future__ import annotations

from pisces.diagnostics import NOTE, Diagnostic, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.config_file import ConfigFile
    from pisces.shapes.field import Keys

HOOK_OFF = Rule("hook-off", NOTE, "A hook is switched off where it is configured")


def hook_off(file: ConfigFile, keys: Keys, name: str) -> Diagnostic:
    return HOOK_OFF.at(file.path, f"hook `{name}` is switched off", place=file.place(*keys), about=name)
