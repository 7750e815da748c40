"""Where to look: home, current directory and environment. Passed in, never read from globals."""

from __future__ import annotations

import os

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

AGENT_DIR_VARIABLE = "PI_CODING_AGENT_DIR"
SAFE_VARIABLE = "PISCES_SAFE"
_NOT_SAFE = ("", "0", "false", "no", "off")


class Places(Value):
    """`home` and `cwd` are absolute. `env` is read for documented variables only."""

    home: str
    cwd: str
    env: Mapping[str, str] = EMPTY

    @property
    def agent_dir(self) -> str:
        """The user's pisces folder: `~/.pisces/agent`, movable by an environment variable."""
        moved = self.env.get(AGENT_DIR_VARIABLE, "")
        return self.absolute(moved) if moved else os.path.join(self.home, ".pisces", "agent")

    @property
    def is_safe(self) -> bool:
        """Whether nothing that was found may run. A value that means nothing in particular means yes."""
        return self.env.get(SAFE_VARIABLE, "").strip().lower() not in _NOT_SAFE

    def absolute(self, path: str) -> str:
        """Any path as a user would write it: `~` is home, relative means from the current directory."""
        if path == "~" or path.startswith(("~/", "~\\")):
            path = self.home + path[1:]
        return os.path.normpath(os.path.join(self.cwd, path))

    def shown(self, path: str) -> str:
        """A path as people like to read it: below the current directory relative, below home with `~`."""
        for base, prefix in ((self.cwd, ""), (self.home, "~" + os.sep)):
            if not path.startswith(base):
                continue
            if path == base:
                return prefix.rstrip(os.sep) or "."
            top = base.rstrip(os.sep) + os.sep
            if path.startswith(top):
                return prefix + path[len(top) :]
        return path

    def ancestors(self) -> Iterator[str]:
        """The current directory and its parents, up to and including the repository root, else home, else the top."""
        folder = self.cwd
        while True:
            yield folder
            parent = os.path.dirname(folder)
            if parent == folder or folder == self.home or os.path.lexists(os.path.join(folder, ".git")):
                return
            folder = parent


def places_here(cwd: str = "") -> Places:
    """The places of this process, with another current folder if `cwd` names one.

    Called at the borders, never inside: this is the one function that reads globals.
    """
    home = os.path.expanduser("~")
    return Places(home, os.path.abspath(cwd), dict(os.environ))
