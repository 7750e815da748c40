"""Whoever approves, as a test wants it: the same answer always, answers in their order, or a function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, TypeAlias

from pisces.shapes.request import Request
from pisces.shapes.verdict import Verdict
from pisces.value import Value

Answer: TypeAlias = "bool | Verdict"
Approving: TypeAlias = "Answer | Iterable[Answer] | Callable[[Request, tuple[Verdict, ...]], Any]"


class ApprovalAsked(Value):
    """One question of the host. `exact` is what would run, `verdicts` are of those who want it asked."""

    exact: str
    verdicts: tuple[Verdict, ...]
    request: Request
    answer: Any = None


class Questions:
    """The `approve` of a host under test. After the last answer everything is denied, as by nobody."""

    def __init__(self, approve: Approving) -> None:
        self.asked: list[ApprovalAsked] = []
        self._call: Callable[[Request, tuple[Verdict, ...]], Any] | None = approve if callable(approve) else None
        self._answers = _answers(approve)

    async def __call__(self, request: Request, verdicts: tuple[Verdict, ...]) -> Any:
        place = len(self.asked)
        self.asked.append(ApprovalAsked(request.exact, verdicts, request))
        answer: Any = next(self._answers, False) if self._call is None else self._call(request, verdicts)
        if isinstance(answer, Awaitable):
            answer = await answer
        self.asked[place] = self.asked[place].replace(answer=answer)
        return answer


def _answers(approve: Any) -> Iterator[Answer]:
    if isinstance(approve, bool | Verdict):
        while True:
            yield approve
    elif not callable(approve):
        yield from approve
