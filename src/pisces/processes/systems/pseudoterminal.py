"""A program on a terminal of its own, joined to the user's: bytes both ways, window size, Ctrl-C, Ctrl-D, no echo.

Its terminal's own rules make Ctrl-C an interrupt for the program alone. Ctrl-Z stops nothing: nobody could go on
with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import termios
from time import monotonic

from pisces.processes.end_signals import Deferred, EndSignals
from pisces.processes.launch import STOPPED, TOO_MANY_PROCESSES, TOO_MUCH_OUTPUT, never, not_started
from pisces.processes.systems import members
from pisces.processes.systems.screen_guard import ScreenGuard
from pisces.processes.systems.spawn import child_on_terminal, ended_of, limit_child
from pisces.processes.systems.user_terminal import UserTerminal, modes_of, resize, size_of
from pisces.processes.systems.watch import LINGER, TICK, Watch, end_all, end_group, has_ended, reap, wait_until
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from io import FileIO

    from pisces.processes.launch import Ended, Launch, Stopped

_CHUNK = 1 << 16
_CTRL_D = b"\x04"
_DEFAULT_SIZE = b"\x18\0\x50\0\0\0\0\0"  # 24 rows, 80 columns


def run_in_terminal(launch: Launch, is_stopped: Stopped = never, *, keyboard: int = 0, screen: int = 1) -> Ended:
    """`keyboard` and `screen` are the user's: flush your own output before. `launch.stdin` is not used.

    On SIGTERM and SIGHUP the program is ended, then the signal does what it did before.
    """
    try:
        ours, theirs = os.openpty()
    except OSError as error:  # the system has no more of them
        return not_started(error)
    with open(ours, "rb", buffering=0) as master, open(theirs, "rb", buffering=0) as slave:
        _furnish(slave.fileno(), keyboard, screen)
        ends = _Ends(master.fileno(), slave, keyboard, screen)
        with EndSignals() as signals, UserTerminal(keyboard, lambda: resize(ends.master, _user_size(keyboard, screen))):
            return _followed(launch, is_stopped, ends, signals)


def _followed(launch: Launch, is_stopped: Stopped, ends: _Ends, signals: EndSignals) -> Ended:
    started = monotonic()
    tasks = members.tasks()
    mark = members.new_mark()
    with Deferred() as deferred:
        try:
            child = child_on_terminal(launch, mark, ends.slave.fileno(), lambda: _make_own(ends.slave.fileno()))
        except (OSError, ValueError) as error:
            return not_started(error)
        finally:
            ends.slave.close()  # the child has it: once it is gone, so is the terminal
        joined = _Joined(child, Watch(child.pid, mark, launch.limits, tasks), ends, signals)
        try:
            deferred.release()
            joined.follow(is_stopped)
        finally:
            joined.close()
    return ended_of(child, joined.reason, monotonic() - started)


def _furnish(slave: int, keyboard: int, screen: int) -> None:
    """As the user's terminal is: its size, and what its keys mean."""
    modes = modes_of(keyboard)
    if modes is not None:
        termios.tcsetattr(slave, termios.TCSANOW, modes)
    resize(slave, _user_size(keyboard, screen) or _DEFAULT_SIZE)


def _user_size(keyboard: int, screen: int) -> bytes | None:
    return size_of(screen) or size_of(keyboard)


def _make_own(slave: int) -> None:
    """In the child, after it has become the leader of its session: one system call, nothing that could wait."""
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


class _Ends(Value):
    """The two ends of the program's terminal, and the user's: descriptors, and a file that is closed on the way."""

    master: int
    slave: FileIO
    keyboard: int
    screen: int


class _Joined:
    """The program's terminal and the user's, joined until one of them goes away."""

    def __init__(self, child: subprocess.Popen[bytes], watch: Watch, ends: _Ends, signals: EndSignals) -> None:
        self.child = child
        self.watch = watch
        self.master, self.keyboard, self.screen = ends.master, ends.keyboard, ends.screen
        self.signals = signals
        self.has_person = modes_of(ends.keyboard) is not None
        self.guard = ScreenGuard()
        self.room = watch.limits.output or -1
        self.reason = ""
        self.kill_at = self.linger_until = 0.0
        self.typed = b""  # not yet taken by the program
        self.is_typing = True  # the keyboard has not ended
        self.is_open = True  # somebody holds the program's terminal
        self.is_cleared = False

    def close(self) -> None:
        """Nothing is left to do after a normal end; after an exception, everything."""
        try:
            if not self.is_cleared:
                end_all(self.watch)
        finally:
            reap(self.child)
            self._show(self.guard.undo())

    def follow(self, is_stopped: Stopped) -> None:
        limit_child(self.child.pid, self.watch.limits)
        os.set_blocking(self.master, False)
        next_look = 0.0
        while not self._is_over():
            self._serve(*self._ready())
            now = monotonic()
            if now >= next_look:
                self._look(now, is_stopped)
                next_look = now + TICK
        self._clear_away()

    def _ready(self) -> tuple[list[int], list[int]]:
        """What can be read and written. Not `poll`: on macOS it does not know terminals."""
        readable = [self.master] if self.is_open else []
        if self.is_typing and not self.typed:  # else the program does not read: let the keys wait where they are
            readable.append(self.keyboard)
        writable = [self.master] if self.is_open and self.typed else []
        read, write, _ = select.select(readable, writable, [], TICK)
        return read, write

    def _is_over(self) -> bool:
        now = monotonic()
        if self.kill_at and now >= self.kill_at:
            return True
        if not self.linger_until and has_ended(self.child):
            self.linger_until = now + LINGER
        return bool(self.linger_until) and (not self.is_open or now >= self.linger_until)

    def _serve(self, readable: list[int], writable: list[int]) -> None:
        if self.keyboard in readable:
            self._read_keys()
        if writable:
            self._type()
        if self.master in readable:
            self._read_output()

    def _read_keys(self) -> None:
        try:
            keys = os.read(self.keyboard, 4096)
        except OSError:  # the terminal went away
            keys = b""
        if not keys:
            self.is_typing = False
            if self.has_person:
                self.signals.came = self.signals.came or signal.SIGHUP
        self.typed += keys or _CTRL_D
        self._type()

    def _type(self) -> None:
        try:
            self.typed = self.typed[os.write(self.master, self.typed) :]
        except BlockingIOError:
            return
        except OSError:  # nobody reads any more
            self.typed = b""

    def _read_output(self) -> None:
        try:
            chunk = os.read(self.master, _CHUNK)
        except BlockingIOError:
            return
        except OSError:  # Linux's way to say that nobody holds the other end
            chunk = b""
        if not chunk:
            self.is_open = False
        elif self.room < 0:
            self._show(self.guard.passed(chunk))
        else:
            kept = chunk[: self.room]
            self.room -= len(kept)
            self._show(self.guard.passed(kept))
            if len(kept) < len(chunk) and not self.reason:
                self._end(TOO_MUCH_OUTPUT)

    def _show(self, shown: bytes) -> None:
        while shown:
            try:
                shown = shown[os.write(self.screen, shown) :]
            except BlockingIOError:
                wait_until(lambda: bool(select.select([], [self.screen], [], 0)[1]), monotonic() + 1)
            except OSError:  # the terminal went away
                self.signals.came = self.signals.came or signal.SIGHUP
                return

    def _look(self, now: float, is_stopped: Stopped) -> None:
        self._continue()
        if self.reason or self.linger_until:
            return
        reason = STOPPED if self.signals.came else self.watch.reason(now, is_stopped)
        if reason:
            self._end(reason)

    def _end(self, reason: str) -> None:
        self.reason = reason
        self.kill_at = monotonic() + self.watch.limits.grace
        if reason == TOO_MANY_PROCESSES:
            self.watch.kill()
            return
        if self.signals.came == signal.SIGHUP:
            members.group_signalled(self.child.pid, signal.SIGHUP)
        self.watch.ask()

    def _continue(self) -> None:
        """A program that stopped itself would wait for ever: there is no shell on its terminal to go on with it."""
        with contextlib.suppress(ChildProcessError, AttributeError):  # macOS before Python 3.13 cannot tell
            if os.waitid(os.P_PID, self.child.pid, os.WSTOPPED | os.WNOHANG) is not None:
                members.group_signalled(self.child.pid, signal.SIGCONT)

    def _clear_away(self) -> None:
        if self.reason:
            wait_until(self.watch.is_empty, self.kill_at)
            self.watch.kill()
        elif self.is_open:
            end_all(self.watch)
        else:
            end_group(self.child)
        self.is_cleared = True
