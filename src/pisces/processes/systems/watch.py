"""Decides when a program has to be ended, and why: its time, its output, its processes, the caller's wish."""

from __future__ import annotations

from time import monotonic, sleep

from pisces.processes.ended import STOPPED, TIMEOUT, TOO_MANY_PROCESSES, TOO_MUCH_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.processes.launch import Limits, Stopped

TICK = 0.05  # seconds between two checks of limits and of the caller's wish to stop
LINGER = 0.5  # how long children of a program that ended may hold its pipes or its group


class Watch:
    """`reason` is empty until the program has to end; `kill_at` is when its grace is over.

    `is_crowded` says whether it has more processes than a number.
    """

    def __init__(self, limits: Limits, is_crowded: Callable[[int], bool]) -> None:
        now = monotonic()
        self.limits = limits
        self.reason = ""
        self.kill_at = 0.0
        self._deadline = now + limits.seconds if limits.seconds else 0.0
        self._is_crowded = is_crowded
        self._room = limits.output or -1
        self._next_check = now + TICK

    @property
    def patience(self) -> float:
        """Seconds until the next check is due."""
        return max(0.0, self._next_check - monotonic())

    @property
    def has_checks(self) -> bool:
        """Whether time alone can give a reason."""
        return bool(self._deadline or self.limits.processes or self.reason)

    def check(self, is_stopped: Stopped) -> None:
        now = monotonic()
        if self.reason or now < self._next_check:
            return
        self._next_check = now + TICK
        if is_stopped():
            self.give_up(STOPPED)
        elif self._deadline and now >= self._deadline:
            self.give_up(TIMEOUT)
        elif self.limits.processes and self._is_crowded(self.limits.processes):
            self.give_up(TOO_MANY_PROCESSES)

    def give_up(self, reason: str) -> None:
        """The first reason counts. There is no grace for too many processes: the program would go on forking."""
        if not self.reason:
            self.reason = reason
            self.kill_at = monotonic() + (0 if reason == TOO_MANY_PROCESSES else self.limits.grace)

    @property
    def is_grace_over(self) -> bool:
        return bool(self.kill_at) and monotonic() >= self.kill_at

    def in_room(self, chunk: bytes) -> bytes:
        """As much of a chunk as the limit of output allows."""
        if self._room < 0:
            return chunk
        fits = chunk[: self._room]
        self._room -= len(fits)
        if len(fits) < len(chunk):
            self.give_up(TOO_MUCH_OUTPUT)
        return fits


def wait_until(is_true: Stopped, deadline: float) -> None:
    pause = 0.001
    while not is_true() and monotonic() < deadline:
        sleep(pause)
        pause = min(pause * 2, TICK)
