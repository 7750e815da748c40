"""The environment of a program: names on a list, those that the user adds to it, and what the caller adds.

Keys and tokens are on no list, so no program gets them by accident. A manifest cannot set what changes how programs
start.
"""

from __future__ import annotations

import os

from pisces.processes.blocked_env import is_blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = "PATH"
PASS_VARIABLE = "PISCES_PASS_ENV"
ALWAYS = {"GEMINI_CLI": "1", "PISCES": "1"}

_PASSED = frozenset(
    """
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION NO_COLOR
    FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES DISPLAY WAYLAND_DISPLAY XAUTHORITY
    GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR
    SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA
    LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86)
    COMMONPROGRAMW6432 ALLUSERSPROFILE PUBLIC COMPUTERNAME OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
    """.split()
)
_PASSED_FAMILIES = ("LC_", "XDG_")


def passed_on(env: Mapping[str, str]) -> dict[str, str]:
    """What every program gets of the user's environment.

    `PISCES_PASS_ENV` has more names, separated by spaces or commas; `NAME_*` stands for all that begin so.
    """
    named = env.get(PASS_VARIABLE, "").replace(",", " ").split()
    return {
        name: search_path(value) if name.upper() == PATH else value
        for name, value in env.items()
        if _is_passed(name) or (any(_matches(name, each) for each in named) and not is_blocked(name))
    }


def child_env(env: Mapping[str, str], declared: Mapping[str, str]) -> dict[str, str]:
    """For a program of a package: what its manifest declares beats the user's values, except for blocked names."""
    allowed = {name: value for name, value in declared.items() if _may_be_set(name, value)}
    return {**passed_on(env), **allowed, **ALWAYS}


def search_path(path: str) -> str:
    """A PATH without relative and empty folders: those would be the project's, and so would the programs in them."""
    return os.pathsep.join(folder for folder in path.split(os.pathsep) if os.path.isabs(folder))


def _is_passed(name: str) -> bool:
    upper = name.upper()
    return upper in _PASSED or upper.startswith(_PASSED_FAMILIES)


def _matches(name: str, wanted: str) -> bool:
    return name == wanted or (wanted.endswith("*") and name.startswith(wanted[:-1]))


def _may_be_set(name: str, value: str) -> bool:
    """No system takes a name that is empty or has `=` in it, or a NUL anywhere."""
    return bool(name) and "=" not in name and "\0" not in name + value and not is_blocked(name)
