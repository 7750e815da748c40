"""Where the interpreter of a script lives, if that is not with the system's own: the fence must let it be read.

Only what the first line of the script names is looked at, and never is a whole home folder let in for it.
"""

from __future__ import annotations

import os
import shutil

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FIRST_LINE = 256
_MOST_LINKS = 10


def interpreter_places(program: str, env: Mapping[str, str], home: str) -> tuple[str, ...]:
    """The interpreter, every file that it is a link to, and the installations that those belong to."""
    return installation_of(_interpreter(program, env), home)


def installation_of(program: str, home: str) -> tuple[str, ...]:
    """A program, every file that it is a link to, and the installations that those belong to."""
    found: list[str] = []
    for path in _links(program):
        folder = os.path.dirname(path)
        top = os.path.dirname(folder) if os.path.basename(folder) in ("bin", "sbin", "shims") else folder
        found += [path] if _is_too_much(top, home) else [path, top]
    return tuple(dict.fromkeys(found))


def _interpreter(program: str, env: Mapping[str, str]) -> str:
    try:
        with open(program, "rb") as file:
            line = file.read(_FIRST_LINE).partition(b"\n")[0]
    except OSError:  # starting it reports the error
        return ""
    words = os.fsdecode(line.removeprefix(b"#!")).split() if line.startswith(b"#!") else []
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        return shutil.which(words[0], path=env.get("PATH", "")) or "" if words else ""
    return words[0] if words else ""


def _links(path: str) -> Iterator[str]:
    for _ in range(_MOST_LINKS):
        if not os.path.isabs(path):
            return
        yield path
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
    yield os.path.realpath(path)


def _is_too_much(folder: str, home: str) -> bool:
    """A folder with more in it than one installation: the top, a home folder or what holds it, `~/.local`."""
    return os.path.join(home, "").startswith(os.path.join(folder, "")) or folder == os.path.join(home, ".local")
