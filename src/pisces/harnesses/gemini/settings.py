"""The settings of Gemini CLI as it merges them: system defaults, the user's, the workspace's, the system's; later wins.

The workspace's count only in a trusted folder. A settings file that is no JSON object stops the program. `admin` is
read by no one here: Gemini CLI takes it from its server alone.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSONC, ConfigFile, config_at
from pisces.formats.js_truth import is_truthy
from pisces.formats.json import JsonObject
from pisces.formats.variables import expanded
from pisces.harnesses.gemini.system_files import is_secure, system_defaults_path, system_settings_path
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.harness import Run
    from pisces.places import Places

SYSTEM_DEFAULTS = "the system's default settings"
USER = "the user's settings"
WORKSPACE = "the project's settings"
SYSTEM = "the system's settings"

_FILE = "settings.json"
_UNITED = frozenset(
    (
        *(("policyPaths",), ("adminPolicyPaths",), ("tools", "exclude"), ("skills", "disabled")),
        *(("hooksConfig", "disabled"), ("extensions", "disabled"), ("context", "includeDirectories")),
    )
)
# These lists begin empty, so that a lone value is added to a list as well.
_LISTS: Mapping[str, Any] = {
    "policyPaths": [],
    "adminPolicyPaths": [],
    "skills": {"disabled": []},
    "hooksConfig": {"disabled": []},
    "context": {"includeDirectories": []},
}


class SettingsScope(Value):
    """One settings file. `values` has its variables filled in; `flaw` is why the program does not start with it."""

    name: str
    path: str
    values: JsonObject
    file: ConfigFile | None = None
    flaw: str = ""
    line: int = 0

    def part(self, *keys: str) -> Any:
        value: Any = self.values
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def line_of(self, *keys: str | int) -> int:
        return self.file.place(*keys)[0] if self.file else 0


class Settings(Value):
    """`scopes` are those that count, lowest first; `merged` is what they come to."""

    scopes: tuple[SettingsScope, ...]
    merged: JsonObject

    def value(self, *keys: str) -> Any:
        value: Any = self.merged
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def last_with(self, *keys: str) -> SettingsScope | None:
        """The file whose word is the last one on a key."""
        return next((scope for scope in reversed(self.scopes) if scope.part(*keys) is not None), None)

    def entries(self, *keys: str) -> Iterator[tuple[SettingsScope, int, str]]:
        """Every text in a list that several files add to, with its file and its place in that file's list."""
        for scope in self.scopes:
            listed = scope.part(*keys)
            for index, entry in enumerate(listed if isinstance(listed, list) else [listed]):
                if isinstance(entry, str):
                    yield scope, index, entry


def is_on(value: object, *, default: bool) -> bool:
    """A switch as JavaScript tests it. The words are for variables: `"${NAME}"` becomes a text."""
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return default if value is None else is_truthy(value)


def is_home(places: Places) -> bool:
    """In the home folder the workspace's files are the user's own."""
    return os.path.realpath(places.cwd) == os.path.realpath(places.home)


def scopes_of(places: Places, run: Run) -> tuple[SettingsScope, ...]:
    """Every settings file that is here, lowest first, whether it counts or not."""
    return run.once(("gemini-scopes",), lambda: tuple(_scopes(places, run)))


def settings_from(scopes: tuple[SettingsScope, ...]) -> Settings:
    merged: JsonObject = _merge({}, _LISTS, ())
    for scope in scopes:
        _merge(merged, scope.values, ())
    return Settings(scopes, merged)


def _scopes(places: Places, run: Run) -> Iterator[SettingsScope]:
    files = [
        (SYSTEM_DEFAULTS, system_defaults_path(places)),
        (USER, os.path.join(places.home, ".gemini", _FILE)),
        (WORKSPACE, "" if is_home(places) else os.path.join(places.cwd, ".gemini", _FILE)),
        (SYSTEM, system_settings_path(places)),
    ]
    for name, path in files:
        if not path or not os.path.exists(path):
            continue
        if name in (USER, WORKSPACE) or is_secure(path):
            yield _scope(name, path, places, run)


def _scope(name: str, path: str, places: Places, run: Run) -> SettingsScope:
    file = config_at(path, JSONC, run)
    if isinstance(file, Diagnostic):
        return SettingsScope(name, path, EMPTY, None, file.hint or file.message, file.line)
    if file is None or not isinstance(file.value, dict):
        return SettingsScope(name, path, EMPTY, file, "" if file is None else "it is not a JSON object", 1)
    return SettingsScope(name, path, expanded(file.value, places.env), file)


def _merge(target: JsonObject, source: Mapping[str, Any], path: tuple[str, ...]) -> JsonObject:
    for key, value in source.items():
        old, here = target.get(key), (*path, key)
        if here == ("mcpServers",) and isinstance(old, dict) and isinstance(value, dict):
            target[key] = {**old, **value}
        elif isinstance(old, list) and (here in _UNITED or path == ("hooks",)):
            target[key] = [*old, *(value if isinstance(value, list) else [value])]
        elif isinstance(value, dict):
            target[key] = _merge(old if isinstance(old, dict) else {}, value, here)
        else:
            target[key] = [*value] if isinstance(value, list) else value
    return target
