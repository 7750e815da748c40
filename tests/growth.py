"""How work grows with its input: CPU time for four times as much, divided by that for once. Never a time in seconds.

Linear work gives about 4, quadratic work 16. The limit lies between them with room for a busy machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable

LINEAR = 9.0
_TRIES = 4
_ENOUGH = 0.02  # seconds: shorter ones are mostly noise


def growth(work: Callable[[int], object], size: int) -> float:
    """`work` does something with an input of a size. Its cost for the first size should be some milliseconds."""
    grown = float("inf")
    for _ in range(_TRIES):  # a busy machine disturbs one try, superlinear work all of them
        grown = min(grown, _cost(work, 4 * size) / max(_cost(work, size), _ENOUGH))
        if grown < LINEAR:
            break
    return grown


def _cost(work: Callable[[int], object], size: int) -> float:
    costs = []
    for _ in range(3):
        start = time.process_time()
        work(size)
        costs.append(time.process_time() - start)
        if costs[-1] > 5:
            break
    return min(costs)
