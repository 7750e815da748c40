"""What `pisces` costs in a terminal: see `terminal_program`, which needs a system that has such terminals."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.result import Outcome, Skipped


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if sys.platform != "linux":
        yield Skipped("the terminal program", "what a process costs is read from /proc")
        return
    from bench.terminal_program import measured

    yield from measured(folder, rounds)
