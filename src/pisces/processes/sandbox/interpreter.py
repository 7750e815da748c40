"""Where a program and the interpreter of a script live, if not with the system's own: the fence must let them be read.

Of a script only what its first line names is looked at, and never is a whole home folder let in for it.
"""

from __future__ import annotations

import os
import shutil

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FIRST_LINE = 256
_MOST_LINKS = 10
_MOST_LEVELS = 4  # from a script up to the manifest of its project
_BESIDE = ("bin", "sbin", "shims", "Scripts")
_MODULES = "node_modules"


def interpreter_places(program: str, env: Mapping[str, str], home: str) -> tuple[str, ...]:
    """The interpreter, every file that it is a link to, and the installations that those belong to."""
    return installation_of(_interpreter(program, env), home)


def installation_of(program: str, home: str) -> tuple[str, ...]:
    """A program, every file that it is a link to, and the installations that those belong to."""
    found: list[str] = []
    for path in _links(program):
        top = _top(path, home)
        found += [path] if _is_too_much(top, home) else [path, top]
        original = _copied_from(top)
        if original and not _is_too_much(original, home):
            found.append(original)
    return tuple(dict.fromkeys(found))


def _top(path: str, home: str) -> str:
    """The folder of all that a program needs: modules that lie beside it, the project of a script, an installation."""
    outer, inside, _ = path.partition(f"{os.sep}{_MODULES}{os.sep}")
    if inside:
        return os.path.join(outer, _MODULES)
    above = folder = os.path.dirname(path)
    for _ in range(_MOST_LEVELS):
        if _is_too_much(above, home):
            break
        if any(os.path.isfile(os.path.join(above, name)) for name in ("package.json", "pyproject.toml")):
            return above
        if os.path.exists(os.path.join(above, ".git")):  # what is above is another project's
            break
        above = os.path.dirname(above)
    return os.path.dirname(folder) if os.path.basename(folder) in _BESIDE else folder


def _copied_from(environment: str) -> str:
    """The installation that a virtual environment was made from, whose interpreter may be a copy and no link."""
    try:
        with open(os.path.join(environment, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            pairs = (line.partition("=") for line in file)
            folder = next((value.strip() for name, _, value in pairs if name.strip() == "home"), "")
    except OSError:
        return ""
    return os.path.dirname(folder) if os.path.basename(folder) in _BESIDE else folder


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
