"""One request past a list of gates, in somebody else's event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pisces.events.time_limit import TimeLimit
from pisces.gates.judge import Gate, judge as judge_with
from pisces.shapes.request import Request
from pisces.shapes.verdict import Judged, Verdict

R = TypeVar("R", bound=Request)


async def judge(
    request: R,
    gates: Sequence[Gate],
    confirm: Callable[[R, tuple[Verdict, ...]], Verdict | Awaitable[Verdict]] | None = None,
) -> Judged:
    """What may run and who decided: `verdict`, `verdicts` of all gates, and `request` with what gates changed in it.

    Deny beats ask beats allow. `confirm` is called last, and only if a gate asks or no gate has an opinion; without
    one, what has to be asked is denied. A gate that raises, answers nonsense or exceeds its time limit denies. Raises
    nothing but a `PiscesError` of `confirm`.
    """
    limit = TimeLimit(has_signals=False)
    try:
        return await judge_with(request, gates, confirm, limit)
    finally:
        limit.close()
