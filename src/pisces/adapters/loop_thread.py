"""Whether the thread of the host's event loop waits inside a framework, so that the host cannot answer.

Frameworks offer synchronous calls that wait for a thread of theirs. Made in the host's own thread, such a call and the
host would wait for each other for ever.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import CodeType

    from pisces.adapters.calls import HostCalls


def refuse_waiting(calls: HostCalls, waits: CodeType, instead: str) -> None:
    """Raises RuntimeError if the host's thread is in the function `waits`. `instead` is what to call."""
    if calls.is_here:
        return
    thread = getattr(calls._loop, "_thread_id", None)  # of asyncio's own loops, while they run
    frame = sys._current_frames().get(thread) if thread else None
    while frame is not None:
        if frame.f_code is waits:
            raise RuntimeError(f"the host's event loop waits for this call and cannot judge it: use {instead}")
        frame = frame.f_back
