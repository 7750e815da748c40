"""Which program a server's command line starts. A package or project cannot reach out of its folder by a relative path,
and a package cannot be made to run a file of the workspace that it happens to be started in.
"""

from __future__ import annotations

import os
import shutil

from pisces.discovery.containment import stays_inside
from pisces.shapes.launch_words import program_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.mcp.names import ServerEntry

_INTERPRETERS = frozenset("node python python3 bun deno ruby perl php sh bash zsh dash tsx ts-node java dotnet".split())


class NotInside(Exception):
    """The message completes a sentence about the server."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def program_at(argv: Sequence[str], entry: ServerEntry, cwd: str, env: Mapping[str, str]) -> str:
    """The program: a bare name is looked up where the server's own PATH says, a path is made absolute."""
    command = argv[0]
    room = "" if entry.is_own else entry.folder or entry.places.cwd
    if entry.folder:
        _check_script(argv, entry, cwd)
    if not _is_path(command):
        return found_on_path(command, env) if os.name == "nt" else command
    start = cwd if not room or stays_inside(cwd, room) else room
    path = os.path.normpath(os.path.join(start, command))
    is_meant = not os.path.isabs(command) or command.startswith(room.rstrip(os.sep) + os.sep)
    if room and is_meant and not stays_inside(path, room):
        raise NotInside(f"`{command}` leads out of {room}", "name a program inside, or one that is installed")
    return path


def found_on_path(name: str, env: Mapping[str, str]) -> str:
    """With the ending that the system needs (`npx.cmd`), because no shell adds it. The name itself if there is none."""
    return shutil.which(name, path=env.get("PATH", "")) or name


def _is_path(command: str) -> bool:
    return "/" in command or (os.sep in command)


def _check_script(argv: Sequence[str], entry: ServerEntry, cwd: str) -> None:
    """`node server.js` in a workspace runs the workspace's file, whatever the package meant."""
    if program_of(argv[0]) not in _INTERPRETERS or stays_inside(cwd, entry.folder):
        return
    script = next((word for word in argv[1:] if not word.startswith("-")), "")
    if script and not os.path.isabs(script) and os.path.lexists(os.path.join(cwd, script)):
        message = f"`{script}` would be a file of the workspace, not of the package"
        raise NotInside(message, "the package must name it by its own folder")
