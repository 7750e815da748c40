"""Claude Code's settings files and which of them has the last word: managed, local, project, user.

All are strict JSON. The shared file is read from the starting folder only; the local one lies at the repository's
root, except on Windows and where that root is the home folder. `disableAllHooks` and rejected servers count wherever
they stand; for a plugin's switch the strongest file that names it decides.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.found import MANAGED, PROJECT, USER
from pisces.discovery.harness import Where
from pisces.files import entries
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import user_folder
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def sources(where: Where[WithSettings]) -> Iterator[tuple[str, str]]:
    """Level and path of every settings file that may exist, strongest first."""
    places = where.places
    managed = where.options.managed
    drop_ins = [each.path for each in entries(os.path.join(managed, "managed-settings.d")) if _is_drop_in(each.name)]
    for path in (*reversed(drop_ins), os.path.join(managed, "managed-settings.json")):
        yield MANAGED, path
    yield PROJECT, os.path.join(_local_folder(places), ".claude", "settings.local.json")
    if places.cwd != places.home:
        yield PROJECT, os.path.join(places.cwd, ".claude", "settings.json")
    yield USER, os.path.join(user_folder(places), "settings.json")


def settings_here(where: Where[WithSettings]) -> list[ConfigFile]:
    """The settings files that can be read, strongest first; broken ones are reported elsewhere."""
    read = (config_at(path, JSON, where.run) for _, path in sources(where))
    return [file for file in read if isinstance(file, ConfigFile) and isinstance(file.value, dict)]


def switch_of(plugin: str, files: list[ConfigFile]) -> tuple[bool, ConfigFile] | None:
    """Whether a plugin is on, as the strongest file that names it says, and that file."""
    for file in files:
        value = file.part(("enabledPlugins", plugin))
        if value is not None:
            return bool(value), file
    return None


def texts_in(files: list[ConfigFile], key: str) -> Mapping[str, ConfigFile]:
    """Every text in the lists under a key, in any file, with the file that has it."""
    found: dict[str, ConfigFile] = {}
    for file in files:
        value = file.part((key,))
        for text in value if isinstance(value, list) else ():
            found.setdefault(str(text), file)
    return found


def _is_drop_in(name: str) -> bool:
    return name.endswith(".json") and not name.startswith(".")


def _local_folder(places: Places) -> str:
    *_, top = places.ancestors()
    in_repository = os.path.lexists(os.path.join(top, ".git"))
    return top if in_repository and top != places.home and os.name != "nt" else places.cwd
