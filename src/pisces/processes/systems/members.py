"""Who belongs to a program that was started: its group, its session, and who carries its mark in the environment.

A process leaves a group or a session with one call, but keeps the environment that it was started with: with the mark,
daemons that forked twice are found too. Only one that also cleared its environment is not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

MARK = "PISCES_RUN"
_PROC = "/proc"
_PAUSE = 0.01
_ROUNDS = 200


def new_mark() -> str:
    return os.urandom(8).hex()


def members_of(leader: int, mark: str = "", known: Collection[int] = ()) -> list[int]:
    """Processes that are alive; zombies are not. Nothing where the system cannot say. Those that are known are not
    looked at."""
    if os.path.exists(f"{_PROC}/self/stat"):
        return _of_proc(leader, f"{MARK}={mark}".encode() if mark else b"", known)
    return [pid for pid in _of_ps(leader) if pid not in known]


def tasks() -> int:
    """How many threads the whole system has: one cheap look that tells whether a closer one is due. -1: unknown."""
    try:
        with open(f"{_PROC}/loadavg", "rb", buffering=0) as file:
            return int(file.read(64).split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return -1


def signalled(pids: list[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):  # gone, or another user's by now
            continue


def group_signalled(leader: int, number: int) -> bool:
    """Whether there was anybody in the group."""
    try:
        os.killpg(leader, number)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of a group of zombies
        return False
    return True


def kill_all(leader: int, mark: str) -> None:
    """Stops everybody first, so that nobody can start anew while others are killed; then kills, until none is left."""
    group_signalled(leader, signal.SIGKILL)  # the kernel lets nobody of the group fork meanwhile
    stopped: set[int] = set()
    for _ in range(_ROUNDS):
        fresh = members_of(leader, mark, stopped)  # only who is new, or this would be slower than they fork
        if fresh:
            signalled(fresh, signal.SIGSTOP)
            stopped.update(fresh)
        elif stopped:
            signalled(sorted(stopped), signal.SIGKILL)
            stopped.clear()
            time.sleep(_PAUSE)
        else:
            return


def _of_proc(leader: int, mark: bytes, known: Collection[int]) -> list[int]:
    pids = [int(name) for name in os.listdir(_PROC) if name.isdigit()]
    return [pid for pid in pids if pid not in known and _belongs(pid, leader, mark)]


def _belongs(pid: int, leader: int, mark: bytes) -> bool:
    try:
        stat = _content(f"{_PROC}/{pid}/stat")
        state, _parent, group, session = stat[stat.rindex(b")") + 2 :].split(None, 4)[:4]
        if state in b"ZXx":
            return False
        if leader in (int(group), int(session)):
            return True
        return bool(mark) and mark in _content(f"{_PROC}/{pid}/environ")
    except (OSError, ValueError):  # gone, or another user's
        return False


def _content(path: str) -> bytes:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(handle, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def _of_ps(leader: int) -> list[int]:
    """For systems without /proc: the group, the session, and descendants whose parents are still alive."""
    try:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="], capture_output=True, check=False).stdout
    except OSError:
        return []
    rows = [line.split(None, 3) for line in listed.splitlines()]
    alive = [(int(pid), int(parent), int(group)) for pid, parent, group, state in rows if not state.startswith(b"Z")]
    found = {pid for pid, _, group in alive if group == leader or pid == leader or _session_of(pid) == leader}
    while fresh := {pid for pid, parent, _ in alive if parent in found and pid not in found}:
        found |= fresh
    return sorted(found)


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1
