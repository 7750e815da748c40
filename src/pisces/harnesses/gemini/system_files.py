"""Where the administrator of this machine puts files for Gemini CLI, and when the program believes them.

On POSIX systems the file and every folder above it must belong to root, and nobody else may write there.
"""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.places import Places

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def system_folder() -> str:
    if sys.platform == "darwin":
        return "/Library/Application Support/GeminiCli"
    return r"C:\ProgramData\gemini-cli" if os.name == "nt" else "/etc/gemini-cli"


def system_settings_path(places: Places) -> str:
    return places.env.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH") or os.path.join(system_folder(), "settings.json")


def system_defaults_path(places: Places) -> str:
    beside = os.path.join(os.path.dirname(system_settings_path(places)), "system-defaults.json")
    return places.env.get("GEMINI_CLI_SYSTEM_DEFAULTS_PATH") or beside


def is_secure(path: str) -> bool:
    """Whether Gemini CLI reads a system file. What Windows says about rights is not asked."""
    if os.name == "nt":
        return True
    path = os.path.abspath(path)
    return all(_is_roots(each) for start in {path, os.path.realpath(path)} for each in _upward(start))


def _upward(path: str) -> Iterator[str]:
    yield path
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


def _is_roots(path: str) -> bool:
    try:
        found = os.stat(path)
        linked = os.lstat(path)
    except OSError:
        return False
    return found.st_uid == 0 and not found.st_mode & _OTHERS_WRITE and linked.st_uid == 0
