"""Stops the companion on a signal, then lets the signal have its usual effect."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Any

from pisces.ide.companion.companion import Companion

SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


def stop_on_signals(companion: Companion) -> None:
    """For our own programs: an editor that embeds a companion handles its own signals. Main thread only."""
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
