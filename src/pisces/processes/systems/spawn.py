"""The one place where programs are started: on pipes or on a terminal, each the leader of a session of its own."""

from __future__ import annotations

import os
import subprocess
import sys

from pisces.processes.launch import OPEN
from pisces.processes.systems.kernel_limits import limited_argv
from pisces.processes.systems.members import MARK
from pisces.processes.systems.terminals import make_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Launch

_OWN_FILES = "/proc/self/fd"
_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows only


def spawned(launch: Launch, mark: str, terminal: int = -1) -> subprocess.Popen[bytes]:
    """The path is not looked at again where a descriptor of the verified program is at hand: it may have changed."""
    by_descriptor = launch.descriptor >= 0 and os.path.isdir(_OWN_FILES)
    output = subprocess.PIPE if terminal < 0 else terminal
    return subprocess.Popen(
        limited_argv(launch.argv, launch.limits),
        executable=f"{_OWN_FILES}/{launch.descriptor}" if by_descriptor else None,
        pass_fds=(launch.descriptor,) if by_descriptor else (),
        cwd=launch.cwd or None,
        env={**launch.env, MARK: mark},
        stdin=_input(launch) if terminal < 0 else terminal,
        stdout=output,
        stderr=subprocess.STDOUT if launch.merged else output,
        bufsize=0,
        start_new_session=sys.platform != "win32",
        creationflags=_OWN_GROUP,
        # Only for a terminal: code between fork and exec makes every start slower, and must not wait for anything.
        preexec_fn=(lambda: make_own(terminal)) if terminal >= 0 else None,
    )


def _input(launch: Launch) -> int | None:
    if launch.stdin is None:
        return None
    return subprocess.PIPE if launch.stdin == OPEN or launch.stdin else subprocess.DEVNULL
