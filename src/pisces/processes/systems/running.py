"""A running program from start to end, driven by a loop that waits or by an event loop. Systems differ in reading.

Nothing here waits, except for `clear`. It is over when the program has ended and nobody holds its pipes any more.
"""

from __future__ import annotations

from time import monotonic

from pisces.processes.ended import TOO_MANY_PROCESSES
from pisces.processes.systems.child import Child
from pisces.processes.systems.watch import TICK, Watch, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable
    from typing import Any

    from pisces.processes.launch import Launch, Sink, Stopped

    Ready = Callable[[Any], object]

_EAGER = 0.002  # seconds between two looks where nothing but looking tells that the program ended


class Running:
    """OSError or ValueError where it cannot be started. `outputs` has the streams that are still open.

    `sink` gets `(OUT | ERR, bytes)`. `came` counts bytes; `unwritten` are those that the program has not read yet.
    """

    def __init__(
        self, launch: Launch, sink: Sink, loop: AbstractEventLoop | None = None, ready: Ready | None = None
    ) -> None:
        """Driven by `step`; with a `loop`, by that, which calls `ready` with what is to be served."""
        self.child = Child(launch)
        self.watch = Watch(launch.limits, self.child.is_crowded)
        self.outputs: dict[int, str] = {}
        self.came = self.unwritten = 0
        self.is_roomy = False  # the pipes hold so much that the program need not wait for us
        self._sink, self._loop, self._ready = sink, loop, ready
        self._tells_exit = False  # the system tells when the program ends: nobody has to look
        self._linger_until = 0.0  # set once it has ended
        self._is_asked = self._is_cleared = False

    @property
    def is_ending(self) -> bool:
        return bool(self.watch.reason or self._linger_until) or not self.outputs

    def is_over(self) -> bool:
        if self.watch.is_grace_over:
            return True
        if not self._linger_until and not self._tells_exit and self.child.exit_status() is not None:
            self._note_exit()
        return bool(self._linger_until) and (not self.outputs or monotonic() >= self._linger_until)

    @property
    def patience(self) -> float:
        """How long nothing has to be done where nothing comes."""
        if self.watch.reason or self._linger_until or (self.outputs and not self._tells_exit):
            return TICK
        return self.watch.patience if self._tells_exit else _EAGER

    @property
    def needs_looks(self) -> bool:
        """Whether time alone changes anything."""
        return not self._tells_exit or self.watch.has_checks or bool(self._linger_until)

    def must_be_asked(self, is_stopped: Stopped) -> bool:
        """Checks limits. True once, where the program has to be asked to end; some get no such grace."""
        if not self._linger_until:
            self.watch.check(is_stopped)
            self.child.secure()
        if not self.watch.reason or self._is_asked:
            return False
        self._is_asked = True
        return self.watch.reason != TOO_MANY_PROCESSES

    def leave(self) -> bool:
        """Whether nothing has to be cleared away: the program ended by itself, and nobody is left."""
        self._is_cleared = not self.watch.reason and not self.outputs and self.child.leave()
        return self._is_cleared

    def clear(self) -> None:
        """Ends whatever is left. This waits."""
        if self.watch.reason:
            wait_until(self.child.is_empty, self.watch.kill_at)
            self.child.kill()
        elif self.outputs:  # somebody holds them though the program has ended
            self.child.end(self.watch.limits.grace)
        else:
            self.child.end_group()
        self._is_cleared = True

    def close(self) -> None:
        """Nothing is left to do after a normal end; after an exception, everything."""
        try:
            if not self._is_cleared and not self.child.is_empty():
                self.child.end(self.watch.limits.grace)
        finally:
            self._is_cleared = True
            self._let_go()
            self.child.close()

    def _let_go(self) -> None:
        """Stops reading and writing."""

    def _note_exit(self) -> None:
        self._linger_until = monotonic() + self.watch.limits.linger

    def _pass_on(self, name: str, chunk: bytes) -> None:
        self.came += len(chunk)
        fits = self.watch.in_room(chunk)
        if fits:
            self._sink(name, fits)
