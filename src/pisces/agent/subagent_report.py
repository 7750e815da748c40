"""What a subagent hands back: its last text for the model, and what it did and cost for the screen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pisces.models.model import added, cost_of
from pisces.models.wire import Usage

if TYPE_CHECKING:
    from typing import Any

    from pisces.models.model import Model
    from pisces.models.wire import ModelAnswer

DONE, TIME, FAILED, CANCELLED = "done", "time", "failed", "cancelled"
_EARLY = "The subagent `{}` ended before it was done: {}. This is what it has said so far:"
_SILENT = "The subagent `{}` ended without a report: {}. It called {}."
_NO_CALLS = "no tool"


class SubagentWork:
    """Counted while it works, so that there is a report however it ends."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.turns = 0
        self.usage = Usage()
        self.cost: float | None = 0.0
        self.tools: Counter[str] = Counter()
        self.text = ""
        self.ended, self.why = "", ""

    def answered(self, answer: ModelAnswer, model: Model) -> None:
        self.turns += 1
        self.usage = added(self.usage, answer.usage)
        cost = cost_of(answer.usage, model.facts.prices)
        self.cost = None if cost is None or self.cost is None else self.cost + cost
        self.text = answer.message.text.strip() or self.text

    @property
    def report(self) -> str:
        """For the model that gave the task."""
        if self.ended == DONE and self.text:
            return self.text
        if self.text:
            return "\n\n".join((_EARLY.format(self.agent, self.why or self.ended), self.text))
        called = ", ".join(f"{name} ({count})" for name, count in self.tools.most_common()) or _NO_CALLS
        return _SILENT.format(self.agent, self.why or "its last message was empty", called)

    @property
    def counts(self) -> dict[str, Any]:
        """For the screen."""
        return {
            "agent": self.agent,
            "ended": self.ended,
            "why": self.why,
            "turns": self.turns,
            "usage": self.usage.as_json(),
            "cost": self.cost,
            "tools": dict(self.tools),
        }
