"""The environment of a program: names on a list, those that the user adds to it, and what the caller adds.

Keys and tokens are on no list, so no program gets them by accident. A manifest cannot set what changes how programs
start.
"""

from __future__ import annotations

import os

from pisces.processes.blocked_env import is_blocked, is_never_passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = "PATH"
PASS_VARIABLE = "PISCES_PASS_ENV"
ALWAYS = {"GEMINI_CLI": "1", "PISCES": "1"}

_PASSED = frozenset(
    """
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT
    LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME LC_TERMINAL LC_TERMINAL_VERSION
    XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_BIN_HOME XDG_RUNTIME_DIR XDG_CONFIG_DIRS
    XDG_DATA_DIRS XDG_CURRENT_DESKTOP XDG_MENU_PREFIX XDG_SEAT XDG_SESSION_CLASS XDG_SESSION_DESKTOP XDG_SESSION_ID
    XDG_SESSION_TYPE XDG_VTNR XDG_DESKTOP_DIR XDG_DOCUMENTS_DIR XDG_DOWNLOAD_DIR XDG_MUSIC_DIR XDG_PICTURES_DIR
    XDG_PUBLICSHARE_DIR XDG_TEMPLATES_DIR XDG_VIDEOS_DIR
    TZ TMPDIR TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION NO_COLOR FORCE_COLOR CLICOLOR
    CLICOLOR_FORCE COLUMNS LINES DISPLAY WAYLAND_DISPLAY XAUTHORITY
    GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR
    SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA
    LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86)
    COMMONPROGRAMW6432 ALLUSERSPROFILE PUBLIC COMPUTERNAME OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
    """.split()
)


def passed_on(env: Mapping[str, str]) -> dict[str, str]:
    """What every program gets of the user's environment.

    `PISCES_PASS_ENV` has more names, separated by spaces or commas; `NAME_*` stands for all that begin so.
    """
    named = env.get(PASS_VARIABLE, "").replace(",", " ").split()
    return {
        name: search_path(value) if name.upper() == PATH else value
        for name, value in env.items()
        if name.upper() in _PASSED or (any(_matches(name, each) for each in named) and not is_never_passed_on(name))
    }


def child_env(env: Mapping[str, str], declared: Mapping[str, str]) -> dict[str, str]:
    """For a program of a package: what its manifest declares beats the user's values, except for blocked names."""
    allowed = {name: value for name, value in declared.items() if _may_be_set(name, value)}
    return {**passed_on(env), **allowed, **ALWAYS}


def search_path(path: str) -> str:
    """A PATH without relative and empty folders: those would be the project's, and so would the programs in them."""
    return os.pathsep.join(folder for folder in path.split(os.pathsep) if os.path.isabs(folder))


def _matches(name: str, wanted: str) -> bool:
    return name == wanted or (wanted.endswith("*") and name.startswith(wanted[:-1]))


def _may_be_set(name: str, value: str) -> bool:
    """No system takes a name that is empty or has `=` in it, or a NUL anywhere."""
    return bool(name) and "=" not in name and "\0" not in name + value and not is_blocked(name)
