"""Keeps an eye on a running program and its children: tells when they have to be ended, and ends all of them."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from time import monotonic

from pisces.processes.end_signals import Deferred
from pisces.processes.launch import STOPPED, TIMEOUT, TOO_MANY_PROCESSES
from pisces.processes.systems import members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Limits, Stopped

TICK = 0.05  # how often limits and the caller's wish to stop are looked at
LINGER = 0.5  # how long children of a program that ended may hold its pipes or its group
_LOOK_WITHOUT_PROC = 2.0  # seconds between two looks at the list of processes where that list is slow


class Watch:
    """Tells whether a program has to be ended, and why; and ends all of it."""

    def __init__(self, leader: int, mark: str, limits: Limits, tasks: int) -> None:
        self.leader = leader
        self.mark = mark
        self.limits = limits
        self.deadline = monotonic() + limits.seconds if limits.seconds else 0.0
        self.calm = tasks  # so many tasks the system had without this program
        self.next_look = 0.0

    def reason(self, now: float, is_stopped: Stopped) -> str:
        if is_stopped():
            return STOPPED
        if self.deadline and now >= self.deadline:
            return TIMEOUT
        return TOO_MANY_PROCESSES if self._is_crowded(now) else ""

    def _is_crowded(self, now: float) -> bool:
        most = self.limits.processes
        tasks = members.tasks()
        if not most or (tasks >= 0 and tasks - self.calm <= most) or now < self.next_look:
            return False
        count = len(members.members_of(self.leader, self.mark))
        self.calm = tasks - count
        self.next_look = 0.0 if tasks >= 0 else now + _LOOK_WITHOUT_PROC
        return count > most

    def ask(self) -> None:
        """SIGTERM for everybody; SIGCONT lets those that are stopped hear it."""
        members.group_signalled(self.leader, signal.SIGTERM)
        others = [pid for pid in members.members_of(self.leader, self.mark) if _group_of(pid) != self.leader]
        members.signalled(others, signal.SIGTERM)
        members.signalled(others, signal.SIGCONT)
        members.group_signalled(self.leader, signal.SIGCONT)

    def kill(self) -> None:
        members.kill_all(self.leader, self.mark)

    def is_empty(self) -> bool:
        return not members.members_of(self.leader, self.mark)


def end_all(watch: Watch) -> None:
    """A second Ctrl-C cuts the grace short, but ended they are."""
    try:
        watch.ask()
        wait_until(watch.is_empty, monotonic() + watch.limits.grace)
    finally:
        with Deferred():
            watch.kill()


def end_group(child: subprocess.Popen[bytes]) -> None:
    """After a normal end: two system calls where nobody is left. Who left the group and the pipes may stay."""
    members.group_signalled(child.pid, signal.SIGTERM)
    child.wait()
    if members.group_signalled(child.pid, 0):
        wait_until(lambda: not members.members_of(child.pid), monotonic() + LINGER)
        members.group_signalled(child.pid, signal.SIGKILL)


def reap(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):  # of another user: it became one that we may not end
        child.wait(timeout=LINGER)


def wait_until(is_true: Stopped, deadline: float) -> None:
    pause = 0.001
    while not is_true() and monotonic() < deadline:
        select.poll().poll(pause * 1000)
        pause = min(pause * 2, TICK)


def has_ended(child: subprocess.Popen[bytes]) -> bool:
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return child.poll() is not None
    return is_gone(child.pid)


def is_gone(pid: int) -> bool:
    """Whether our child has ended. It stays a zombie, so that its number is not given to another."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return -1
