"""Ends a program when we are gone, even when we were killed: a small shell waits for our end of a pipe to close.

The kernel closes the pipe, whatever ended us. PR_SET_PDEATHSIG would need code between fork and exec, ends the program
alone without its children, and fires when a thread ends. docs/decisions/0040 has the measured costs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

from pisces.processes.systems.members import MARK, marked_limits

_SHELL = "/bin/sh"
# The shell is started before the program, so that a program is found by its mark if we end before we know its number.
# `$1` is the mark in the environment, `$2` the one in the limits. It has no word of ours in its name: who kills all
# that is named pisces must not kill it too.
_SCRIPT = """
trap "" HUP INT QUIT TERM
read -r leader
read -r never
kill -KILL -- "-$leader"
for round in 1 2 3; do
  for folder in /proc/[0-9]*; do
    read -r stat <"$folder/stat" || continue
    set -- "$1" "$2" ${stat##*) }
    if [ "$6" = "$leader" ]; then kill -KILL "${folder#/proc/}"; fi
  done
  for file in $(grep -ls "$1" /proc/[0-9]*/environ; grep -ls "^Max file locks.* $2 " /proc/[0-9]*/limits); do
    file=${file#/proc/}
    kill -KILL "${file%/*}"
  done
done
"""


def when_killed(platform: str = sys.platform) -> str:
    """What becomes of running programs when this process is killed, in words for the user."""
    if platform == "linux":
        return "ended with everything they started, daemons included, unless one took pains to hide"
    if platform == "win32":
        return "not ended: they go on without us"
    return "ended with their process group; a child that left the group goes on"


class Lifeline:
    """Held while a program may run. Where the last reference goes without `release`, the program is ended."""

    def __init__(self, mark: str) -> None:
        theirs, self._ours = os.pipe()
        self._watcher: subprocess.Popen[bytes] | None = None
        with suppress(OSError), open(theirs, "rb", buffering=0) as pipe:  # without a shell there is no such guarantee
            self._watcher = subprocess.Popen(
                (_SHELL, "-c", _SCRIPT, "lifeline", f"{MARK}={mark}", str(marked_limits(mark)[0])),
                cwd="/",
                env={"PATH": os.defpath},
                stdin=pipe,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # else Ctrl-C would end it
            )

    def guard(self, leader: int) -> None:
        with suppress(OSError):  # nobody reads
            os.write(self._ours, b"%d\n" % leader)

    def release(self) -> None:
        """The program has ended, or never started."""
        if self._watcher is not None:
            self._watcher.kill()
            self._watcher.wait()
        self.cut()

    def cut(self) -> None:
        """The program ends now, if it was not released."""
        ours, self._ours = self._ours, -1
        if ours >= 0:
            os.close(ours)

    __del__ = cut
