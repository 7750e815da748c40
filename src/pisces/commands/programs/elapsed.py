"""A line that says how long a silent program has been running; gone before anything else appears.

No thread: the run asks several times a second whether it shall stop, and that is when the line is drawn.
"""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.processes.launch import Sink, Stopped

PATIENCE = 1.0  # seconds of silence
_MINUTE = 60


class Elapsed:
    """`progress` replaces the line, and removes it for an empty text. A line that the program left open stays."""

    def __init__(self, progress: Callable[[str], None], name: str, clock: Callable[[], float] = monotonic) -> None:
        self._progress = progress
        self._name = name
        self._clock = clock
        self._started = self._last = clock()
        self._shown = ""
        self._is_line_open = False

    def watching(self, is_stopped: Stopped) -> Stopped:
        """To be given to `run` instead of `is_stopped`."""

        def looked() -> bool:
            self._draw()
            return is_stopped()

        return looked

    def before(self, sink: Sink) -> Sink:
        """To be given to `run` instead of `sink`."""

        def cleared(name: str, chunk: bytes) -> None:
            self.clear()
            self._last = self._clock()
            self._is_line_open = not chunk.endswith(b"\n")
            sink(name, chunk)

        return cleared

    def clear(self) -> None:
        if self._shown:
            self._progress("")
            self._shown = ""

    def _draw(self) -> None:
        now = self._clock()
        if self._is_line_open or now - self._last < PATIENCE:
            return
        text = f"{self._name} is running, {duration(now - self._started)}"
        if text != self._shown:
            self._progress(text)
            self._shown = text


def duration(seconds: float) -> str:
    """`4 s`, or `2 min 07 s`."""
    minutes, rest = divmod(int(seconds), _MINUTE)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
