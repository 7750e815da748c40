"""A program on a terminal of its own, joined to the user's: bytes both ways, window size, Ctrl-C, Ctrl-D, no echo.

The rules of its own terminal make Ctrl-C an interrupt for the program alone. Ctrl-Z stops nothing: nobody could go on
with it. No signals are taken here: a new window size is noticed by looking.
"""

from __future__ import annotations

import os
import select
import signal
from contextlib import closing
from time import monotonic

from pisces.processes.ended import not_started
from pisces.processes.launch import never
from pisces.processes.systems import members
from pisces.processes.systems.posix import READ, PolledRunning
from pisces.processes.systems.screen_guard import ScreenGuard
from pisces.processes.systems.terminals import set_size
from pisces.processes.systems.watch import wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.ended import Ended
    from pisces.processes.launch import Launch, Stopped
    from pisces.processes.systems.terminals import UserTerminal

_CTRL_D = b"\x04"
_MOST_TYPED = 4096
_SILENCE = 0.4  # seconds
_PATIENCE = 3.0
_HANG_UP = getattr(signal, "SIGHUP", signal.SIGTERM)


def run_in_terminal(launch: Launch, user: UserTerminal, is_stopped: Stopped = never) -> Ended:
    """Flush your own output before. `launch.stdin` is not used."""
    joined = _Joined(user)
    with user:
        try:
            running = PolledRunning(launch.replace(terminal=user.likeness), joined.show)
        except (OSError, ValueError) as error:  # among others: the system has no more terminals
            return not_started(error)
        try:
            with closing(running):
                joined.join(running, is_stopped)
        finally:
            joined.write(joined.guard.undo())
    return running.child.ended(running.watch.reason)


class _Joined:
    """The program's terminal and the user's, until one of them goes away."""

    def __init__(self, user: UserTerminal) -> None:
        self.user = user
        self.guard = ScreenGuard()
        self.size = user.size
        self.is_typing = True  # the keyboard has not ended
        self.is_hung_up = False  # the user's terminal went away
        self.started = self.shown = monotonic()
        self.is_line_open = False

    def join(self, running: PolledRunning, is_stopped: Stopped) -> None:
        keyboard = self.user.keyboard
        while not running.is_over():
            if self.is_typing and not running.unwritten and self._wants_keys():
                running.listen(keyboard, READ, lambda: self._type(running))
            else:  # the program does not read: let the keys wait where they are
                running.forget(keyboard)
            running.step(running.patience)
            self._follow_size(running)
            running.child.go_on()
            if running.must_be_asked(lambda: self.is_hung_up or is_stopped()):
                if self.is_hung_up:
                    members.group_signalled(running.child.pid, _HANG_UP)
                running.child.ask()
        if not running.leave():
            running.clear()
        running.drain()

    def show(self, _name: str, chunk: bytes) -> None:
        self.shown, self.is_line_open = monotonic(), not chunk.endswith(b"\n")
        if self.user.note is not None:
            self.user.note(chunk)
        self.write(self.guard.passed(chunk))

    def write(self, shown: bytes) -> None:
        while shown and not self.is_hung_up:
            try:
                shown = shown[os.write(self.user.screen, shown) :]
            except BlockingIOError:
                wait_until(lambda: bool(select.select([], [self.user.screen], [], 0)[1]), monotonic() + 1)
            except OSError:
                self.is_hung_up = True

    def _wants_keys(self) -> bool:
        """A program that has written half a line, or nothing for a while, may wait for keys."""
        now = monotonic()
        if not self.user.may_read and (
            self.is_line_open or now - self.shown > _SILENCE or now - self.started > _PATIENCE
        ):
            self.user.may_read = True
            self.user.take()
        return self.user.may_read

    def _type(self, running: PolledRunning) -> None:
        try:
            keys = os.read(self.user.keyboard, _MOST_TYPED)
        except OSError:
            keys = b""
        if not keys:
            self.is_typing = False
            self.is_hung_up = self.user.has_person
        running.write(keys or _CTRL_D)

    def _follow_size(self, running: PolledRunning) -> None:
        size = self.user.size
        if size is not None and size != self.size:
            self.size = size
            for handle in running.outputs:
                set_size(handle, size)
