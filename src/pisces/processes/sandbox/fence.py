"""Puts a fence around a launch, and a label on it that says which, and what it does not keep out.

The package and the workspace can be read, the workspace and a temporary folder written, and nothing else: no network,
no local sockets, none of the user's other files. A home folder is never handed over because somebody stands in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from contextlib import suppress

from pisces.by_name import export_of
from pisces.files import entries
from pisces.processes.sandbox.allowed import Allowed
from pisces.processes.sandbox.interpreter import interpreter_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.places import Places
    from pisces.processes.launch import Launch

NOT_SANDBOXED = "not sandboxed"
MECHANISMS = ("landlock", "bubblewrap")
_PACKAGE = "pisces.processes.sandbox"
_A_DAY = 24 * 60 * 60


def sandboxed(launch: Launch, package: str, places: Places, others: Sequence[str] = ()) -> tuple[Launch, str]:
    """The launch with the fence that every program of a package gets for which one is asked. It may read `others`."""
    temporary = _temporary_folder(package, places)
    env = {**launch.env, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), temporary)}
    allowed = allowed_for(launch, package, places, temporary)
    return fenced(launch.replace(env=env), allowed.replace(read=(*allowed.read, *others)))


def allowed_for(launch: Launch, package: str, places: Places, temporary: str) -> Allowed:
    workspace = os.path.realpath(launch.cwd)
    own = () if _holds(workspace, os.path.realpath(places.home)) else (workspace,)
    read = (os.path.realpath(package), *interpreter_places(launch.argv[0], launch.env, places.home))
    return Allowed(read, (*own, os.path.realpath(temporary)))


def fenced(launch: Launch, allowed: Allowed) -> tuple[Launch, str]:
    """The first mechanism that works here and has no gaps, else the first that works, else none: the label says so."""
    reasons = {name: str(export_of(_PACKAGE, name, "why_not")()) for name in MECHANISMS}
    working = [name for name, reason in reasons.items() if not reason]
    if not working:
        return launch, f"{NOT_SANDBOXED}: {' and '.join(reasons.values())}"
    name = min(working, key=lambda each: len(export_of(_PACKAGE, each, "gaps")(allowed)))
    return fenced_by(name, launch, allowed)


def fenced_by(name: str, launch: Launch, allowed: Allowed) -> tuple[Launch, str]:
    gaps = export_of(_PACKAGE, name, "gaps")(allowed)
    is_home_hidden = launch.cwd not in allowed.write and os.path.realpath(launch.cwd) not in allowed.write
    parts = [
        "reads the system and its package" if is_home_hidden else "reads the system, its package and this folder",
        "writes temporary files only" if is_home_hidden else "writes this folder and temporary files",
        "has the network" if allowed.network else "has no network",
        *([f"does not stop {', '.join(gaps)}"] if gaps else []),
    ]
    made: Launch = export_of(_PACKAGE, name, "fenced")(launch, allowed)
    return made, f"sandboxed by {export_of(_PACKAGE, name, 'label')()}: {'; '.join(parts)}"


def _temporary_folder(package: str, places: Places) -> str:
    """One for each package, for this user only. What lies in it for a day is removed by the next call."""
    name = hashlib.sha256(os.fsencode(package)).hexdigest()[:16]
    folder = os.path.join(places.agent_dir, "sandbox", name)
    with suppress(OSError):  # then the program has no temporary folder, and says so itself
        os.makedirs(folder, 0o700, exist_ok=True)
    for entry in entries(folder):
        with suppress(OSError):
            if entry.stat(follow_symlinks=False).st_mtime < time.time() - _A_DAY:
                _remove(entry)
    return folder


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        os.unlink(entry.path)


def _holds(folder: str, path: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))
