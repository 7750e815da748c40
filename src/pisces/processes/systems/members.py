"""The processes of a program that was started: its group, its session, and every process that carries its mark.

A process leaves a group or a session with one call, but keeps its environment and its limits: with the mark in both,
daemons that forked twice are found too. The limit is that of file locks, which the kernel passes on to children, shows
to everybody and has not enforced since 2003. A process can overwrite or clear its environment; to change that limit it
must mean to, and a fence refuses it. On Windows only `taskkill` knows who belongs to whom.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

with suppress(ImportError):  # not on Windows
    import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MARK = "PISCES_RUN"
_MARKED_LIMIT = 10  # RLIMIT_LOCKS, which has no name in Python
_LIMIT_LINE = b"Max file locks"
_ONE_BY_ONE = threading.Lock()
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_STOP = getattr(signal, "SIGSTOP", signal.SIGTERM)
_CONTINUE = getattr(signal, "SIGCONT", signal.SIGTERM)
_PROC = "/proc"
_PAUSE = 0.01
_ROUNDS = 200
_FEW = 200  # processes that are asked for one by one, which is faster than listing all


def new_mark() -> str:
    return os.urandom(7).hex()  # a limit has 63 bits


def marked_limits(mark: str) -> tuple[int, int]:
    """The limit by which processes with this mark are found, and the highest that they may set.

    Where we have such a limit ourselves, an outer pisces finds everybody by it, so it stays the highest.
    """
    number, highest = int(mark, 16), -1
    if sys.platform == "linux":
        highest = resource.getrlimit(_MARKED_LIMIT)[1]
    return (number, number) if highest <= 0 else (number % highest, highest)


@contextmanager
def marked(mark: str) -> Iterator[None]:
    """Processes that are started in here carry the mark from their first instruction: we have it ourselves meanwhile.

    The limit means nothing, so nobody notices. What another thread of an embedding program starts at the same moment
    has it too: a child of ours that is not the program is therefore not looked at.
    """
    if sys.platform != "linux":
        yield
        return
    with _ONE_BY_ONE:
        soft, hard = resource.getrlimit(_MARKED_LIMIT)
        resource.setrlimit(_MARKED_LIMIT, (marked_limits(mark)[0], hard))
        try:
            yield
        finally:
            resource.setrlimit(_MARKED_LIMIT, (soft, hard))


def fix_mark(pid: int, mark: str) -> None:
    """Right after the start: from now on it can be lowered, but not exchanged for another."""
    if sys.platform == "linux" and hasattr(resource, "prlimit"):
        with suppress(OSError, ValueError):  # gone already
            resource.prlimit(pid, _MARKED_LIMIT, marked_limits(mark))


def members_of(leader: int, mark: str = "", known: Collection[int] = ()) -> list[int]:
    """Processes that are alive, without those that are known. Zombies are not alive."""
    if sys.platform == "win32":
        return []
    if os.path.exists(f"{_PROC}/self/stat"):
        return _of_proc(leader, mark, known)
    return [pid for pid in _of_ps(leader) if pid not in known]


def daemons_of(leader: int, mark: str) -> list[int]:
    """The same for a leader that has ended. Its children are newer than it, so that few processes are looked at."""
    last = _newest()
    if sys.platform == "win32" or not leader <= last <= leader + _FEW:
        return members_of(leader, mark)
    return [pid for pid in range(leader + 1, last + 1) if _exists(pid) and _belongs(pid, leader, _marks(mark))]


def tasks() -> int:
    """How many threads the whole system has: a cheap check whether members must be counted. -1: unknown."""
    try:
        with open(f"{_PROC}/loadavg", "rb", buffering=0) as file:
            return int(file.read(64).split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return -1


def group_signalled(leader: int, number: int) -> bool:
    """Whether there was anybody in the group."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):  # macOS refuses it for a group of zombies
        return False
    return True


def ask_all(leader: int, mark: str) -> None:
    """SIGTERM for everybody. SIGCONT after it, so that stopped processes receive it."""
    if sys.platform == "win32":
        with suppress(OSError):
            os.kill(leader, signal.CTRL_BREAK_EVENT)
        return
    group_signalled(leader, signal.SIGTERM)
    others = [pid for pid in members_of(leader, mark) if _asked("getpgid", pid) != leader]
    _signalled(others, signal.SIGTERM)
    _signalled(others, _CONTINUE)
    group_signalled(leader, _CONTINUE)


def kill_all(leader: int, mark: str) -> None:
    """Stops everybody first, so that nobody starts a new process while others are killed; then kills, in rounds."""
    if sys.platform == "win32":
        command = ("taskkill", "/T", "/F", "/PID", str(leader))
        with suppress(OSError):
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return
    group_signalled(leader, KILL)  # the kernel lets nobody of the group fork meanwhile
    stopped: set[int] = set()
    for _ in range(_ROUNDS):
        fresh = members_of(leader, mark, stopped)  # only new ones, or this would be slower than they fork
        if fresh:
            _signalled(fresh, _STOP)
            stopped.update(fresh)
        elif stopped:
            _signalled(sorted(stopped), KILL)
            stopped.clear()
            time.sleep(_PAUSE)
        else:
            return


def _signalled(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):  # gone, or another user's by now
            os.kill(pid, number)


def _of_proc(leader: int, mark: str, known: Collection[int]) -> list[int]:
    pids = [int(name) for name in os.listdir(_PROC) if name.isdigit()]
    marks = _marks(mark)
    return [pid for pid in pids if pid not in known and _belongs(pid, leader, marks)]


def _marks(mark: str) -> tuple[bytes, bytes]:
    return (b"%d" % marked_limits(mark)[0] if mark else b""), f"{MARK}={mark}".encode()


def _newest() -> int:
    """The number that the system gave last. -1: unknown."""
    try:
        return int(_content(f"{_PROC}/loadavg").split()[4])
    except (OSError, ValueError, IndexError):
        return -1


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it became another user's
        return True
    return True


def _belongs(pid: int, leader: int, marks: tuple[bytes, bytes]) -> bool:
    """`marks`: in its limits, empty where only group and session count, and in its environment."""
    try:
        stat = _content(f"{_PROC}/{pid}/stat")
        state, parent, group, session = stat[stat.rindex(b")") + 2 :].split(None, 4)[:4]
        if state in b"ZXx":
            return False
        if leader in (int(group), int(session)):
            return True
        if not marks[0]:
            return False
        is_another_child = int(parent) == os.getpid() and pid != leader
        return (_has_limit(pid, marks[0]) and not is_another_child) or marks[1] in _content(f"{_PROC}/{pid}/environ")
    except (OSError, ValueError):  # gone, or another user's
        return False


def _has_limit(pid: int, number: bytes) -> bool:
    _, found, rest = _content(f"{_PROC}/{pid}/limits").partition(_LIMIT_LINE)
    return bool(found) and number in rest.partition(b"\n")[0].split()


def _content(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _of_ps(leader: int) -> list[int]:
    """For systems without /proc: the group, the session, and descendants whose parents are still alive."""
    command = ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="]
    try:
        listed = subprocess.run(command, capture_output=True, check=False, env={"PATH": os.defpath}).stdout
    except OSError:
        return []
    rows = [line.split(None, 3) for line in listed.splitlines()]
    alive = [(int(pid), int(parent), int(group)) for pid, parent, group, state in rows if not state.startswith(b"Z")]
    found = {pid for pid, _, group in alive if group == leader or pid == leader or _asked("getsid", pid) == leader}
    while fresh := {pid for pid, parent, _ in alive if parent in found and pid not in found}:
        found |= fresh
    return sorted(found)


def _asked(call: str, pid: int) -> int:
    """What `os.getsid` or `os.getpgid` says; -1 where there is no such process or call."""
    try:
        return int(getattr(os, call)(pid))
    except (OSError, AttributeError):
        return -1
