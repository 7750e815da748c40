"""The course of a running program, whoever drives it: a loop that waits, or an event loop. Systems differ in reading.

Nothing here waits, except for `clear`. It is over when the program has ended and nobody holds its pipes any more.
"""

from __future__ import annotations

from time import monotonic

from pisces.processes.ended import TOO_MANY_PROCESSES
from pisces.processes.systems.watch import LINGER, TICK, Watch, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.ended import Ended
    from pisces.processes.launch import Launch, Sink, Stopped
    from pisces.processes.systems.child import Child
    from pisces.processes.systems.windows import WindowsChild

_EAGER = 0.002  # seconds between two looks where nothing but looking tells that the program ended


class Running:
    """`sink` gets `(OUT | ERR, bytes)`; `outputs` has the streams that are still open."""

    def __init__(self, launch: Launch, sink: Sink, child: Child | WindowsChild) -> None:
        self.child = child
        self.watch = Watch(launch.limits, child.is_crowded)
        self.outputs: dict[int, str] = {}
        self.came = 0  # bytes since somebody set it to 0
        self.is_roomy = False  # the pipes hold so much that the program need not wait for us
        self.unwritten = 0  # bytes that the program has not read yet
        self._sink = sink
        self._tells_exit = False  # the system tells when the program ends: nobody has to look
        self._linger_until = 0.0  # set once it has ended
        self._is_asked = self._is_cleared = self._is_paused = False

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
        if not self._tells_exit and not self._linger_until:
            return _EAGER if not self.outputs else TICK
        return self.watch.patience

    @property
    def needs_looks(self) -> bool:
        """Whether time alone changes anything."""
        return not self._tells_exit or self.watch.has_checks or bool(self._linger_until)

    def must_be_asked(self, is_stopped: Stopped) -> bool:
        """Checks limits. True once, where the program has to be asked to end; some get no such grace."""
        if not self._linger_until:
            self.watch.check(is_stopped)
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

    def ended(self) -> Ended:
        return self.child.ended(self.watch.reason)

    def _note_exit(self) -> None:
        self._linger_until = monotonic() + LINGER

    def _pass_on(self, name: str, chunk: bytes) -> None:
        self.came += len(chunk)
        fits = self.watch.in_room(chunk)
        if fits:
            self._sink(name, fits)

    def _let_go(self) -> None:
        """Stops reading and writing."""
        raise NotImplementedError
