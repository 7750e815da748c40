"""pi's switches (0.73.1): entries of `extensions`, `skills`, `prompts` and `themes` in the settings of the same level.

`!pattern` leaves out what fits, `+path` brings one file back, `-path` leaves one file out for good. It knows no trust.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.found import PROJECT
from pisces.discovery.state import OFF, State, switched
from pisces.formats.path_glob import path_glob_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf

_KEYS = {"modules": "extensions", "skills": "skills", "commands": "prompts", "themes": "themes"}


def states(scene: Scene) -> StateOf:
    user, project = scene.harness.user_path(scene.places), scene.places.absolute(scene.harness.project_dir)

    def state_of(kind: str, found: Found) -> State | None:
        key = _KEYS.get(kind)
        if key is None:
            return None
        folder = project if found.source.level == PROJECT else user
        file = config_at(os.path.join(folder, "settings.json"), JSON, scene.run)
        return _overridden(found.source.path, folder, file, key) if isinstance(file, ConfigFile) else None

    return state_of


def _overridden(path: str, folder: str, file: ConfigFile, key: str) -> State | None:
    listed = file.part((key,))
    entries = (
        [(at, each) for at, each in enumerate(listed) if isinstance(each, str)] if isinstance(listed, list) else []
    )
    names = list(_names(path, folder))
    decided: State | None = None
    for mark in ("!", "+", "-"):
        for index, entry in entries:
            wanted = entry[1:].replace(os.sep, "/")
            if not entry.startswith(mark) or not _fits(mark, wanted, names, path):
                continue
            off = switched(OFF, f"`{entry}` in `{key}` leaves it out", file, (key, index), "remove that entry")
            decided = None if mark == "+" else off
    return decided


def _fits(mark: str, wanted: str, names: list[str], path: str) -> bool:
    if mark == "!":
        own = os.path.basename(os.path.dirname(path) if path.endswith("SKILL.md") else path)
        return any(path_glob_matches(wanted, name) for name in (*names, own, os.path.basename(path)))
    return wanted.removeprefix("./") in names


def _names(path: str, folder: str) -> Iterator[str]:
    """What an entry may call a file: relative to the folder of the settings, or whole; a skill also by its folder."""
    for each in (path, os.path.dirname(path)) if os.path.basename(path) == "SKILL.md" else (path,):
        yield os.path.relpath(each, folder).replace(os.sep, "/")
        yield each.replace(os.sep, "/")
