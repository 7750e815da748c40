"""One list of gates decides about everything that wants to run, and says who decided and why.

Gates are asked in the order of the list: off switches and trust, then those that may change the request, then those
that judge. A gate answers a `Verdict`, a changed request, a `Judged` with both, or None if it has nothing to say. Deny
beats ask beats allow. The user is asked last, and only if somebody said `ask`.

Whoever allowed a request has seen exactly what runs: after a change every other gate is asked again, up to `ROUNDS`
times, and then the request is denied. Each gate gets a copy of its own, so that none can change what another one saw,
then or later. A gate that raises, answers nonsense, changes its copy in place or exceeds its time limit denies.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.shapes.verdict import ALLOW, ASK, DENY, Change, Judged, Verdict
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any, TypeAlias

    from pisces.events.time_limit import TimeLimit
    from pisces.shapes.request import Request

    Answer: TypeAlias = Verdict | Request | Judged | None
    Confirm: TypeAlias = Callable[[Any, tuple[Verdict, ...]], Verdict | Awaitable[Verdict]]
    Record: TypeAlias = Callable[[Judged], None]

ROUNDS = 3  # how often the gates are asked again after a change
SECONDS = 30.0
DEFAULT = "default"  # who wants the question, where no gate has said anything
NOBODY = "nobody"  # who denies, where nobody can be asked
USER = "user"


class Gate(Value):
    """`who` names it in verdicts. `call` takes a request and returns an answer, or an awaitable of one.

    `seconds` is its time limit. None means that it is called directly, without a copy of its own: code of ours that
    answers at once, or that keeps a time limit and makes copies itself.
    """

    who: str
    call: Callable[[Any], Answer | Awaitable[Answer]]
    seconds: float | None = SECONDS


async def judge(
    request: Request,
    gates: Sequence[Gate],
    confirm: Confirm | None = None,
    limit: TimeLimit | None = None,
    record: Record | None = None,
) -> Judged:
    """What may run, and who allowed or denied it.

    `confirm` gets the request and every verdict that asks; without one, what has to be asked is denied. `limit`
    enforces the gates' time limits; without one no gate may be a coroutine, and this coroutine never waits (see
    `judge_now`). `record` gets the result, for the audit log.
    """
    walk = _Walk(request, gates, limit)
    verdict = await walk.denial()
    if verdict is None:
        verdict = walk.strictest()
        if verdict.decision == ASK:
            try:
                verdict = await _confirmed(confirm, walk, limit)
            except PiscesError as error:
                _finished(walk, Verdict(DENY, USER, error.diagnostic.message), record)
                raise
            walk.verdicts[len(gates)] = verdict
    return _finished(walk, verdict, record)


def judge_now(
    request: Request, gates: Sequence[Gate], confirm: Confirm | None = None, record: Record | None = None
) -> Judged:
    """The same without an event loop, for gates and a `confirm` that are plain functions."""
    try:
        judge(request, gates, confirm, None, record).send(None)
    except StopIteration as stop:
        judged: Judged = stop.value
        return judged
    raise AssertionError("a judge without a time limit never waits")


def _finished(walk: _Walk, verdict: Verdict, record: Record | None) -> Judged:
    judged = Judged(walk.request, verdict, tuple(walk.ordered()), tuple(walk.changes))
    if record is not None:
        record(judged)
    return judged


class _Walk:
    """One request while the gates are asked. `verdicts` has the last one of each gate, by its place in the list."""

    def __init__(self, request: Request, gates: Sequence[Gate], limit: TimeLimit | None) -> None:
        self.request = request.detached()
        self.verdicts: dict[int, Verdict] = {}
        self.changes: list[Change] = []
        self._gates = gates
        self._limit = limit
        self._seen: dict[int, Request] = {}  # by gate: the request as it left that gate

    async def denial(self) -> Verdict | None:
        """Asks every gate until all have seen the same request. The first denial ends the walk."""
        for _ in range(1 + ROUNDS):
            for number, gate in enumerate(self._gates):
                answer = self._asked(number, gate)
                if answer is not None and await self._is_denied_by(number, gate, answer):
                    return self.verdicts[number]
            if all(seen is self.request for seen in self._seen.values()):
                return None
        who = ", ".join(dict.fromkeys(change.who for change in self.changes))
        verdict = Verdict(DENY, who, f"it was changed again and again, {ROUNDS} times after it had been judged")
        self.verdicts[len(self._gates)] = verdict
        return verdict

    def strictest(self) -> Verdict:
        asks = [each for each in self.ordered() if each.decision == ASK]
        return (asks or self.ordered() or [Verdict(self.request.DEFAULT, DEFAULT)])[0]

    def questions(self) -> tuple[Verdict, ...]:
        return tuple(each for each in self.ordered() if each.decision == ASK) or (Verdict(ASK, DEFAULT),)

    def ordered(self) -> list[Verdict]:
        return [self.verdicts[number] for number in sorted(self.verdicts)]

    def _asked(self, number: int, gate: Gate) -> Any:
        """What the gate answers, or an awaitable of that; None if it has nothing to say, or has answered already.

        Most gates have nothing to say, so no coroutine is made for them.
        """
        if self._seen.get(number) is self.request:
            return None
        self._seen[number] = self.request
        self.verdicts.pop(number, None)
        try:
            if gate.seconds is not None:
                return self._answer_in_time(gate, gate.seconds)
            answer = gate.call(self.request)
            return answer if answer is None or self._limit is not None else _at_once(answer)
        except BaseException as error:  # the border with hooks, modules and rules of others
            if not _is_failure(error):
                raise
            return _failed(gate.who, error)

    async def _answer_in_time(self, gate: Gate, seconds: float) -> Any:
        given = self.request.detached()
        if self._limit is None:
            answer = _at_once(gate.call(given))
        else:
            answer = await self._limit.call(gate.who, gate.call, given, seconds)
        if not given.is_same(self.request):
            raise TypeError("changed the request in place: a gate returns a changed copy")
        return None if answer is given else answer

    async def _is_denied_by(self, number: int, gate: Gate, answer: Any) -> bool:
        try:
            if hasattr(answer, "__await__"):
                answer = await answer
            if answer is not None and answer is not self.request:
                self._take(number, gate, answer)
        except BaseException as error:  # the border with hooks, modules and rules of others
            if not _is_failure(error):
                raise
            self.verdicts[number] = _failed(gate.who, error)
        self._seen[number] = self.request
        return number in self.verdicts and self.verdicts[number].decision == DENY

    def _take(self, number: int, gate: Gate, answer: Any) -> None:
        if isinstance(answer, Judged):  # of a gate that stands for several: another request, and a verdict about that
            self._take(number, gate, answer.request)
            answer = answer.verdict
        if isinstance(answer, Verdict) and answer.decision in (ALLOW, ASK, DENY):
            self.verdicts[number] = answer if answer.who else answer.replace(who=gate.who)
        elif type(answer) is not type(self.request):
            raise TypeError(f"answered {_shown(answer)}; a gate answers a verdict, a changed request, or None")
        else:
            changed: Request = answer.detached()
            if not changed.is_same(self.request):
                self.request = changed
                self.changes.append(Change(gate.who, changed))


async def _confirmed(confirm: Confirm | None, walk: _Walk, limit: TimeLimit | None) -> Verdict:
    """The user's answer. A `PiscesError` says by itself why it does not go on; anything else that is raised denies."""
    if confirm is None:
        return Verdict(DENY, NOBODY, "nobody can be asked here")
    try:
        answer: Any = confirm(walk.request.detached(), walk.questions())
        if limit is None:
            answer = _at_once(answer)
        elif hasattr(answer, "__await__"):
            with export_of("pisces.events", "time_limit", "not_counted")():
                answer = await answer
        if not isinstance(answer, Verdict) or answer.decision not in (ALLOW, DENY):
            raise TypeError(f"answered {_shown(answer)}; the answer to a question is a verdict that allows or denies")
    except PiscesError:
        raise
    except BaseException as error:  # the border with the program that embeds us
        if not _is_failure(error):
            raise
        return _failed(USER, error)
    return answer if answer.who else answer.replace(who=USER)


def _at_once(answer: Any) -> Any:
    if not hasattr(answer, "__await__"):
        return answer
    if hasattr(answer, "close"):
        answer.close()
    raise TypeError("answers later, but here nobody waits")


def _failed(who: str, error: BaseException) -> Verdict:
    text: str = export_of("pisces.events", "emit", "error_text")(error)
    return Verdict(DENY, who, f"failed: {text}")


def _is_failure(error: BaseException) -> bool:
    is_failure: bool = export_of("pisces.events", "time_limit", "is_failure")(error)
    return is_failure


def _shown(answer: object) -> str:
    return f"the decision {answer.decision!r}" if isinstance(answer, Verdict) else type(answer).__name__
