"""The settings of Qwen Code, lowest first, and whether it trusts this folder. As its source says, 0.22.

Folder trust is off unless `security.folderTrust.enabled` turns it on, and then a folder without a rule is trusted.
"""

from __future__ import annotations

import os
import sys

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSONC, ConfigFile, config_at
from pisces.discovery.state import UNTRUSTED, State
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.state import Scene

USER = "the user's settings"
WORKSPACE = "the project's settings"
_ENABLED = ("security", "folderTrust", "enabled")


class QwenSettings(Value):
    """`scopes` are those that count, lowest first, each with its name. `user_folder` has the user's own files."""

    scopes: tuple[tuple[str, ConfigFile], ...]
    untrusted: State | None
    user_folder: str

    def value(self, *keys: str) -> Any:
        """What the highest settings say that say anything."""
        said = [file.part(keys) for _, file in self.scopes]
        return next((value for value in reversed(said) if value is not None), None)

    def entries(self, *keys: str) -> Iterator[tuple[str, ConfigFile, int, str]]:
        """Every text in a list that all settings add to."""
        for name, file in self.scopes:
            listed = file.part(keys)
            for index, entry in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(entry, str):
                    yield name, file, index, entry

    def last_with(self, *keys: str) -> tuple[str, ConfigFile] | None:
        return next((scope for scope in reversed(self.scopes) if scope[1].part(keys) is not None), None)


def settings_of(scene: Scene) -> QwenSettings:
    user = scene.harness.user_path(scene.places)
    files = tuple(_files(scene, user))
    others = tuple(each for each in files if each[0] != WORKSPACE)
    untrusted = _distrust(scene, user) if QwenSettings(others, None, user).value(*_ENABLED) else None
    return QwenSettings(others if untrusted else files, untrusted, user)


def _files(scene: Scene, user: str) -> Iterator[tuple[str, ConfigFile]]:
    env = scene.places.env
    system = env.get("QWEN_CODE_SYSTEM_SETTINGS_PATH") or os.path.join(_system_folder(), "settings.json")
    beside = os.path.join(os.path.dirname(system), "system-defaults.json")
    paths = (
        ("the system's default settings", env.get("QWEN_CODE_SYSTEM_DEFAULTS_PATH") or beside),
        (USER, os.path.join(user, "settings.json")),
        (WORKSPACE, os.path.join(scene.places.cwd, ".qwen", "settings.json")),
        ("the system's settings", system),
    )
    for name, path in paths:
        if name == WORKSPACE and scene.places.cwd == scene.places.home:
            continue
        file = config_at(path, JSONC, scene.run)
        if isinstance(file, ConfigFile) and isinstance(file.value, dict):
            yield name, file


def _system_folder() -> str:
    if sys.platform == "darwin":
        return "/Library/Application Support/QwenCode"
    return r"C:\ProgramData\qwen-code" if os.name == "nt" else "/etc/qwen-code"


def _distrust(scene: Scene, user: str) -> State | None:
    """The deepest rule decides; among equals the one that says no."""
    path = scene.places.env.get("QWEN_CODE_TRUSTED_FOLDERS_PATH") or os.path.join(user, "trustedFolders.json")
    file = config_at(path, JSONC, scene.run)
    if file is None or isinstance(file, Diagnostic) or not isinstance(file.value, dict):
        return None
    here = os.path.realpath(scene.places.cwd)
    deepest, winner = (-1, False), ""
    for rule, level in file.value.items():
        folder = os.path.realpath(os.path.dirname(rule) if level == "TRUST_PARENT" else rule)
        rank = (folder.rstrip(os.sep).count(os.sep), level == "DO_NOT_TRUST")
        if (here + os.sep).startswith(folder.rstrip(os.sep) + os.sep) and rank > deepest:
            deepest, winner = rank, rule
    if not deepest[1]:
        return None
    change = "write `TRUST_FOLDER` there"
    return State(UNTRUSTED, f"`{winner}` is not to be trusted", path, file.place(winner)[0], change)
