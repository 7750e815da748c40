"""The one place where programs are started: on pipes or on a terminal, each the leader of a session of its own.

Also the processes that belong to a program, and their end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from time import monotonic

from pisces.processes.ended import Ended
from pisces.processes.launch import OPEN, Terminal
from pisces.processes.systems import members
from pisces.processes.systems.kernel_limits import limit_child, limited_argv
from pisces.processes.systems.lifeline import Lifeline
from pisces.processes.systems.terminals import make_own, terminal_pair
from pisces.processes.systems.unreadable import become_unreadable
from pisces.processes.systems.watch import LINGER, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from pisces.processes.launch import Launch

_OWN_FILES = "/proc/self/fd"
_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows only
_BRIEF = 0.04  # seconds that a brief program runs without a lifeline
_COUNT_WITHOUT_PROC = 2.0  # seconds between two counts of processes where a list of them is slow to get


class Child:
    """OSError or ValueError where it cannot be started. `pipes` are our ends of its stdin, stdout and stderr.

    A start that an exception interrupts, as Ctrl-C does, leaves nothing behind: the lifeline is cut.
    """

    def __init__(self, launch: Launch) -> None:
        self.started = monotonic()
        self.mark = members.new_mark()
        self.pipes: tuple[IO[bytes] | None, ...] = ()
        self._calm = members.tasks()  # so many tasks the system has without this program
        self._next_count = 0.0
        self._is_fenced = launch.is_fenced
        become_unreadable()
        self._lifeline = None if launch.is_brief else Lifeline(self.mark)
        try:
            with members.marked(self.mark):
                self._popen = self._on_pipes(launch) if launch.terminal is None else self._on_terminal(launch)
        except (OSError, ValueError):
            self._release()
            raise
        except BaseException:
            self._cut()
            raise
        self.pid = self._popen.pid
        members.fix_mark(self.pid, self.mark)
        self.wait = self._popen.wait
        if self._lifeline is not None:
            self._lifeline.guard(self.pid)
        limit_child(self.pid, launch.limits)

    def close(self) -> None:
        """The pipes are closed and the program is reaped. Where it still runs, the lifeline ends it."""
        for pipe in filter(None, self.pipes):
            pipe.close()
        with suppress(subprocess.TimeoutExpired):  # it became another user's: we may not end it
            self.wait(LINGER)
        if self._popen.returncode is None:
            self._cut()
        else:
            self._release()

    def secure(self) -> None:
        """A brief program that still runs gets its lifeline now."""
        if self._lifeline is None and monotonic() - self.started > _BRIEF and self._popen.returncode is None:
            self._lifeline = Lifeline(self.mark)
            self._lifeline.guard(self.pid)

    def _release(self) -> None:
        if self._lifeline is not None:
            self._lifeline.release()

    def _cut(self) -> None:
        if self._lifeline is not None:
            self._lifeline.cut()

    def exit_status(self) -> int | None:
        """As `subprocess` has it: a negative number is a signal. None while it runs.

        It stays a zombie until `leave` or `close`, so that its number is not given to another process.
        """
        waitid = getattr(os, "waitid", None)  # macOS has it since Python 3.13
        if sys.platform == "win32" or waitid is None or self._popen.returncode is not None:
            return self._popen.poll()
        try:
            found = waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # other code in this process has waited for it already
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
        return self.exit_status() is not None and not members.members_of(self.pid, self.mark)

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

        A process that left both the group and the pipes was started on purpose, and stays, but not behind a fence.
        """
        members.group_signalled(self.pid, signal.SIGTERM)
        self.wait()
        is_left = members.group_signalled(self.pid, 0)
        return not is_left and not (self._is_fenced and members.daemons_of(self.pid, self.mark))

    def end_group(self) -> None:
        """After `leave`, for a group that does not end by itself, and for daemons behind a fence."""
        wait_until(lambda: not members.members_of(self.pid), monotonic() + LINGER)
        if self._is_fenced:
            self.kill()
        else:
            self.kill_group()

    def ended(self, reason: str) -> Ended:
        return ended_by(self._popen.returncode, reason, monotonic() - self.started)

    def _on_pipes(self, launch: Launch) -> subprocess.Popen[bytes]:
        popen = spawned(launch, self.mark)
        self.pipes = (popen.stdin, popen.stdout, popen.stderr)
        return popen

    def _on_terminal(self, launch: Launch) -> subprocess.Popen[bytes]:
        ours, theirs = terminal_pair(launch.terminal or Terminal())
        with open(ours, "rb", buffering=0) as master, open(theirs, "rb", buffering=0) as slave:
            popen = spawned(launch, self.mark, slave.fileno())
            self.pipes = tuple(os.fdopen(os.dup(master.fileno()), mode, 0) for mode in ("wb", "rb"))
        return popen


def spawned(launch: Launch, mark: str, terminal: int = -1) -> subprocess.Popen[bytes]:
    """The path is not looked at again where a descriptor of the verified program is at hand: it may have changed."""
    by_descriptor = launch.descriptor >= 0 and os.path.isdir(_OWN_FILES)
    has_pipe = launch.stdin == OPEN or bool(launch.stdin)
    stdin = None if launch.stdin is None else subprocess.PIPE if has_pipe else subprocess.DEVNULL
    output = subprocess.PIPE if terminal < 0 else terminal
    return subprocess.Popen(
        limited_argv(launch.argv, launch.limits),
        executable=f"{_OWN_FILES}/{launch.descriptor}" if by_descriptor else None,
        pass_fds=(launch.descriptor,) if by_descriptor else (),
        cwd=launch.cwd or None,
        env={**launch.env, members.MARK: mark},
        stdin=stdin if terminal < 0 else terminal,
        stdout=output,
        stderr=subprocess.STDOUT if launch.merged else output,
        bufsize=0,
        start_new_session=sys.platform != "win32",
        creationflags=_OWN_GROUP,
        # Only for a terminal: code between fork and exec makes a start slower, and must not wait for anything.
        preexec_fn=(lambda: make_own(terminal)) if terminal >= 0 else None,
    )


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
