"""A program that was started, on Linux and macOS: its pipes, the processes that belong to it, and their end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from time import monotonic

from pisces.processes.ended import Ended
from pisces.processes.launch import Terminal
from pisces.processes.systems import members
from pisces.processes.systems.kernel_limits import limit_child
from pisces.processes.systems.lifeline import Lifeline
from pisces.processes.systems.spawn import spawned
from pisces.processes.systems.terminals import terminal_pair
from pisces.processes.systems.watch import LINGER, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from pisces.processes.launch import Launch

_COUNT_WITHOUT_PROC = 2.0  # seconds between two counts of processes where a list of them is slow to get


class Child:
    """OSError or ValueError where it cannot be started. `stdin`, `stdout` and `stderr` are our ends of its pipes.

    A start that an exception interrupts, as Ctrl-C does, leaves nothing behind: the lifeline is cut.
    """

    def __init__(self, launch: Launch) -> None:
        self.started = monotonic()
        self.mark = members.new_mark()
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self.stderr: IO[bytes] | None = None
        self._calm = members.tasks()  # so many tasks the system has without this program
        self._next_count = 0.0
        self._lifeline = Lifeline(self.mark)
        try:
            self._popen = self._on_pipes(launch) if launch.terminal is None else self._on_terminal(launch)
        except (OSError, ValueError):
            self._lifeline.release()
            raise
        except BaseException:
            self._lifeline.cut()
            raise
        self._lifeline.guard(self.pid)
        limit_child(self.pid, launch.limits)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def close(self) -> None:
        """The pipes are closed and the program is reaped. Where it still runs, the lifeline ends it."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        with suppress(subprocess.TimeoutExpired):  # it became another user's: we may not end it
            self._popen.wait(timeout=LINGER)
        if self._popen.returncode is None:
            self._lifeline.cut()
        else:
            self._lifeline.release()

    def exit_status(self) -> int | None:
        """As `subprocess` has it: a negative number is a signal. None while it runs.

        It stays a zombie until `leave` or `close`, so that its number is not given to another process.
        """
        waitid = getattr(os, "waitid", None)  # macOS has it since Python 3.13
        if sys.platform == "win32" or waitid is None or self._popen.returncode is not None:
            return self._popen.poll()
        try:
            found = waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # somebody else of this process has collected it
            return self._popen.poll()
        if found is None:
            return None
        return int(found.si_status if found.si_code == os.CLD_EXITED else -found.si_status)

    def go_on(self) -> None:
        """Continues a program that stopped itself: on a terminal of ours there is no shell that could do so."""
        waitid = getattr(os, "waitid", None)
        if sys.platform == "win32" or waitid is None:
            return
        with suppress(ChildProcessError):  # it has ended
            if waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG) is not None:
                members.group_signalled(self.pid, signal.SIGCONT)

    def is_crowded(self, most: int) -> bool:
        """Members are counted only where the system has so many more tasks that there may be too many."""
        tasks, now = members.tasks(), monotonic()
        if (tasks >= 0 and tasks - self._calm <= most) or now < self._next_count:
            return False
        count = len(members.members_of(self.pid, self.mark))
        self._calm = tasks - count
        self._next_count = 0.0 if tasks >= 0 else now + _COUNT_WITHOUT_PROC
        return count > most

    def is_empty(self) -> bool:
        return not members.members_of(self.pid, self.mark)

    def ask(self) -> None:
        members.ask_all(self.pid, self.mark)

    def kill_group(self) -> None:
        members.group_signalled(self.pid, members.KILL)

    def kill(self) -> None:
        members.kill_all(self.pid, self.mark)

    def end(self, grace: float) -> None:
        """Asks, waits and kills. An exception, such as a second Ctrl-C, cuts the grace short."""
        try:
            self.ask()
            wait_until(self.is_empty, monotonic() + grace)
        finally:
            self.kill()

    def leave(self) -> bool:
        """After a normal end: whether nobody is left in the group, which two system calls tell.

        A process that left both the group and the pipes was started on purpose, and stays.
        """
        members.group_signalled(self.pid, signal.SIGTERM)
        self._popen.wait()
        return not members.group_signalled(self.pid, 0)

    def end_group(self) -> None:
        """After `leave`, for a group that does not end by itself."""
        wait_until(lambda: not members.members_of(self.pid), monotonic() + LINGER)
        self.kill_group()

    def ended(self, reason: str) -> Ended:
        return ended_by(self._popen.returncode, reason, monotonic() - self.started)

    def _on_pipes(self, launch: Launch) -> subprocess.Popen[bytes]:
        popen = spawned(launch, self.mark)
        self.stdin, self.stdout, self.stderr = popen.stdin, popen.stdout, popen.stderr
        return popen

    def _on_terminal(self, launch: Launch) -> subprocess.Popen[bytes]:
        ours, theirs = terminal_pair(launch.terminal or Terminal())
        with open(ours, "rb", buffering=0) as master, open(theirs, "rb", buffering=0) as slave:
            popen = spawned(launch, self.mark, slave.fileno())
            self.stdout, self.stdin = (os.fdopen(os.dup(master.fileno()), mode, 0) for mode in ("rb", "wb"))
        return popen


def ended_by(status: int | None, reason: str, seconds: float) -> Ended:
    if status is None:
        return Ended(None, "", reason, seconds, "it could not be ended: it may run as another user")
    if status >= 0:
        return Ended(status, "", reason, seconds)
    return Ended(None, signal_name(-status), reason, seconds)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"  # a real-time signal
