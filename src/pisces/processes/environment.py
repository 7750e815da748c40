"""The environment of a program that a package brings: what every program needs, and what its manifest declares.

The caller's keys and tokens are not passed on, and a manifest cannot set what changes how programs start.
"""

from __future__ import annotations

import os

from pisces.processes.blocked_env import is_blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = "PATH"
ALWAYS = {"GEMINI_CLI": "1", "PISCES": "1"}

_KEPT = frozenset(
    """
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION NO_COLOR
    FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES DISPLAY WAYLAND_DISPLAY XAUTHORITY
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR
    SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA
    LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86)
    COMMONPROGRAMW6432 ALLUSERSPROFILE PUBLIC COMPUTERNAME OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
    """.split()
)
_KEPT_FAMILIES = ("LC_", "XDG_")


def child_env(env: Mapping[str, str], declared: Mapping[str, str]) -> dict[str, str]:
    """Declared names beat those of the user, except for blocked ones and for those that say where they run."""
    kept = {
        name: search_path(value) if name.upper() == PATH else value for name, value in env.items() if _is_kept(name)
    }
    kept.update({name: value for name, value in declared.items() if _may_be_set(name, value)})
    return {**kept, **ALWAYS}


def search_path(path: str) -> str:
    """A PATH without its relative and empty folders: those would be the project's, and what lies there its author's."""
    return os.pathsep.join(folder for folder in path.split(os.pathsep) if os.path.isabs(folder))


def refused_names(declared: Mapping[str, str]) -> list[str]:
    """What a manifest declares and its program does not get."""
    return sorted(name for name, value in declared.items() if not _may_be_set(name, value))


def _is_kept(name: str) -> bool:
    upper = name.upper()
    return upper in _KEPT or upper.startswith(_KEPT_FAMILIES)


def _may_be_set(name: str, value: str) -> bool:
    """No system takes a name that is empty or has `=` in it, or a NUL anywhere."""
    return bool(name) and "=" not in name and "\0" not in name + value and not is_blocked(name)
