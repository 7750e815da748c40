"""How long and how much: what a sidecar may take before the host stops waiting for it."""

from __future__ import annotations

from pisces.value import Value


class Limits(Value):
    """Seconds, but for `line` and `unread` (bytes), `printed` (bytes that are recorded) and `restarts` (in a row)."""

    load: float = 30.0  # for one module to be imported and for its factory to return
    call: float = 10.0  # to draw, to take a key, to complete a word
    life: float = 1.0  # to give a sign of life after a call was given up
    beat: float = 5.0  # between two looks at whether it still lives
    silence: float = 60.0  # without a sign of life, while no tool runs
    patience: float = 2.0  # that a call waits for a sidecar that is being started again
    delay: float = 0.1  # before the first restart; doubles with each that follows
    longest_delay: float = 30.0
    restarts: int = 5
    steady: float = 60.0  # after which a sidecar counts as healthy again
    line: int = 64 << 20
    unread: int = 64 << 20
    printed: int = 64 << 10
