"""Takes the companion away when the process is asked to end, then lets happen what would have happened anyway."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from pisces.ide.companion.companion import Companion

SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


def stop_on_signals(companion: Companion) -> None:
    """For programs of our own: an editor that embeds a companion keeps its signals. Main thread only."""
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before: dict[int, Any] = {number: signal.getsignal(number) for number in numbers}

    def stop(number: int, frame: FrameType | None) -> None:
        companion.stop()
        previous = before[number]
        if callable(previous):
            previous(number, frame)
        elif previous != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    for number in numbers:
        if before[number] != signal.SIG_IGN:  # as under `nohup`
            signal.signal(number, stop)
