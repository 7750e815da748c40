"""What a session has used: tokens and dollars, in all and for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.models.model import added, cost_of
from pisces.models.wire import Usage
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.models.model import ModelFacts


class ModelUsage(Value):
    """`cost` is None where the prices of the model are not known."""

    model: str
    requests: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0


class UsageCount:
    def __init__(self) -> None:
        self._models: dict[str, ModelUsage] = {}

    def add(self, facts: ModelFacts, usage: Usage) -> None:
        before = self._models.get(facts.name) or ModelUsage(facts.name)
        cost = _sum(before.cost, cost_of(usage, facts.prices))
        self._models[facts.name] = ModelUsage(facts.name, before.requests + 1, added(before.usage, usage), cost)

    @property
    def by_model(self) -> tuple[ModelUsage, ...]:
        return tuple(self._models.values())

    @property
    def total(self) -> ModelUsage:
        """Of all models. What a model without prices has cost is not known, and then the whole is not."""
        made = ModelUsage("")
        for each in self._models.values():
            made = ModelUsage(
                "", made.requests + each.requests, added(made.usage, each.usage), _sum(made.cost, each.cost)
            )
        return made


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
