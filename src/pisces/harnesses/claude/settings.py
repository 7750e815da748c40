"""Claude Code's settings files and which of them has the last word: managed, local, project, user.

All are strict JSON, a byte order mark allowed. The shared file is read from the starting folder only; a local one
counts there and at the repository's root, except on Windows and where that root is the home folder. For most keys the
strongest file that has it decides; lists add up. A file that Claude Code refuses (`settings_shape`) counts for nothing,
the administrator's excepted.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.found import MANAGED, PROJECT, USER
from pisces.discovery.harness import Run, Where
from pisces.discovery.state import REFUSED, State
from pisces.files import entries
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import local_folders, user_folder
from pisces.harnesses.claude.plainly import plain_settings
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from pisces.shapes.field import Keys

LOCAL_FILE = "settings.local.json"


class SettingHere(Value):
    """A value, the file that it is from, and the level of that file. `depth` keys name the setting in words."""

    value: Any
    file: ConfigFile
    level: str
    keys: Keys
    depth: int = 1

    @property
    def of_project(self) -> bool:
        return self.level == PROJECT

    @property
    def place(self) -> tuple[int, int]:
        return self.file.place(*self.keys)

    def state(self, name: str, reason: str, change: str = "") -> State:
        """A state that this setting decides. `{key}` in the texts stands for where it is."""
        key = f"`{'.'.join(str(key) for key in self.keys[: self.depth])}` of {self.owner}"
        return State(name, reason.replace("{key}", key), self.file.path, self.place[0], change.replace("{key}", key))

    @property
    def owner(self) -> str:
        if self.level == PROJECT:
            local = os.path.basename(self.file.path) == LOCAL_FILE
            return "the local settings" if local else "the project's settings"
        return "the managed settings" if self.level == MANAGED else "the user's settings"


def sources(where: Where[WithSettings]) -> Iterator[tuple[str, str]]:
    """Level and path of every settings file that may exist, strongest first."""
    places = where.places
    managed = where.options.managed
    drop_ins = [each.path for each in entries(os.path.join(managed, "managed-settings.d")) if _is_drop_in(each.name)]
    for path in (*reversed(drop_ins), os.path.join(managed, "managed-settings.json")):
        yield MANAGED, path
    for path in _local_paths(where):
        yield PROJECT, path
    if places.cwd != places.home:
        yield PROJECT, os.path.join(places.cwd, ".claude", "settings.json")
    yield USER, os.path.join(user_folder(places), "settings.json")


def _local_paths(where: Where[WithSettings]) -> list[str]:
    return [os.path.join(folder, ".claude", LOCAL_FILE) for folder in local_folders(where.places)]


def takes_local_settings(where: Where[WithSettings]) -> bool:
    """Whether the local file that it writes is missing, or one that Claude Code reads and adds to."""
    path = _local_paths(where)[0]
    return not os.path.lexists(path) or any(file.path == path for _, file in settings_here(where))


def settings_here(where: Where[WithSettings]) -> list[tuple[str, ConfigFile]]:
    """Level and content of the settings files that count, strongest first; broken ones are reported elsewhere."""
    key = ("claude-settings", where.places.cwd, where.options.managed)
    return where.run.once(key, lambda: list(_readable(where)))


def _readable(where: Where[WithSettings]) -> Iterator[tuple[str, ConfigFile]]:
    for level, path in sources(where):
        file = config_at(path, MARKED, where.run)
        if not isinstance(file, ConfigFile) or not isinstance(file.value, dict):
            continue
        if level == MANAGED or refusal_of(file, where.run) is None:
            yield level, file


def refusal_of(file: ConfigFile, run: Run) -> State | None:
    """Why Claude Code refuses a settings file as a whole; None where it takes it."""
    return run.once(("claude-refused", file.path), lambda: _refusal(file))


def _refusal(file: ConfigFile) -> State | None:
    if plain_settings(file.value):
        return None
    found: Callable[[Any], tuple[Keys, str] | None] = export_of(
        "pisces.harnesses.claude", "settings_shape", "settings_flaw"
    )
    flaw = found(file.value)
    if flaw is None:
        return None
    reason = f"Claude Code refuses the whole settings file: {flaw[1]}"
    return State(REFUSED, reason, file.path, file.place(*flaw[0])[0], "mend that entry, or remove it")


def setting(where: Where[WithSettings], *keys: str, managed: bool = False) -> SettingHere | None:
    """The value at some keys in the strongest file that has it, or in the administrator's alone."""
    return next(settings_at(where, *keys, managed=managed), None)


def settings_at(where: Where[WithSettings], *keys: str, managed: bool = False) -> Iterator[SettingHere]:
    """The same in every file that has it, strongest first."""
    for level, file in settings_here(where):
        value = file.part(keys)
        if value is not None and (level == MANAGED or not managed):
            yield SettingHere(value, file, level, keys, len(keys))


def listed(where: Where[WithSettings], *keys: str) -> Mapping[str, SettingHere]:
    """Every text in the lists at some keys, in any file, with the place of its strongest mention."""
    found: dict[str, SettingHere] = {}
    for each in settings_at(where, *keys):
        texts = [each.value] if isinstance(each.value, str) else each.value
        for index, text in enumerate(texts if isinstance(texts, list) else ()):
            found.setdefault(str(text), each.replace(keys=(*keys, index), value=text))
    return found


def _is_drop_in(name: str) -> bool:
    return name.endswith(".json") and not name.startswith(".")
