"""One list of gates: who decides, what a broken gate means, and that whoever allowed something has seen it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.events.time_limit import TimeLimit, not_counted
from pisces.gates.judge import ROUNDS, Gate, judge, judge_now
from pisces.shapes.request import LineRequest, Request
from pisces.shapes.verdict import ALLOW, ASK, DENY, Judged, Verdict

LINE = LineRequest("ls", "/do", "do.toml", "/work")
SLOW = 0.15


def says(decision: str, who: str = "") -> Gate:
    return Gate(who or decision, lambda _request: Verdict(decision, why=f"{who or decision} said so"))


def silent(_request: Request) -> None:
    return None


def runs(line: str) -> Callable[[LineRequest], LineRequest]:
    """A gate that wants this line instead of any other."""
    return lambda request: request.replace(exact=line)


class Person:
    """Answers as told, and remembers the questions."""

    def __init__(self, decision: str = ALLOW) -> None:
        self.decision = decision
        self.asked: list[tuple[str, list[str]]] = []

    def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        self.asked.append((request.exact, [each.who for each in questions]))
        return Verdict(self.decision, why="the person said so")


def judged(*gates: Gate, confirm: Any = None, request: Request = LINE) -> Judged:
    """Decided in an event loop, with time limits."""

    async def run() -> Judged:
        limit = TimeLimit(has_signals=False)
        try:
            return await judge(request, gates, confirm, limit)
        finally:
            limit.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("decisions", "answer", "decision", "who"),
    [
        ([ALLOW], DENY, ALLOW, "allow"),
        ([ALLOW, ASK, ALLOW], ALLOW, ALLOW, "user"),
        ([ALLOW, ASK, ALLOW], DENY, DENY, "user"),
        ([ASK, DENY, ALLOW], ALLOW, DENY, "deny"),
        ([DENY, ALLOW], ALLOW, DENY, "deny"),
        ([ALLOW, DENY], ALLOW, DENY, "deny"),
        ([], ALLOW, ALLOW, "user"),
        ([], DENY, DENY, "user"),
    ],
)
def test_deny_beats_ask_beats_allow_and_silence_asks(
    decisions: list[str], answer: str, decision: str, who: str
) -> None:
    for decide in (judged, lambda *gates, confirm: judge_now(LINE, gates, confirm)):
        verdict = decide(*map(says, decisions), confirm=Person(answer)).verdict
        assert (verdict.decision, verdict.who) == (decision, who)


def test_the_user_is_asked_only_where_somebody_asks_and_only_once() -> None:
    person = Person()
    judged(says(ALLOW), confirm=person)
    judged(says(ASK, "hook"), says(DENY), confirm=person)
    assert person.asked == []
    judged(says(ASK, "hook"), says(ASK, "rule"), says(ALLOW), confirm=person)
    assert person.asked == [("ls", ["hook", "rule"])]


def test_every_verdict_has_who_and_why_and_is_recorded() -> None:
    records: list[Judged] = []
    gates = [says(ALLOW, "trust"), Gate("quiet", silent), says(ASK, "rule"), Gate("hook", runs("ls -l"))]
    answer = judge_now(LINE, gates, Person(), records.append)
    assert records == [answer]
    assert [(each.decision, each.who, each.why) for each in answer.verdicts] == [
        ("allow", "trust", "trust said so"),
        ("ask", "rule", "rule said so"),
        ("allow", "user", "the person said so"),
    ]
    assert [(change.who, change.request.exact) for change in answer.changes] == [("hook", "ls -l")]
    assert answer.request.exact == "ls -l"


def test_a_denial_is_recorded_with_what_was_said_before_it() -> None:
    asked: list[str] = []
    late = Gate("late", lambda request: asked.append(request.exact))
    answer = judge_now(LINE, [says(ALLOW, "trust"), says(DENY, "rule"), late])
    assert [each.who for each in answer.verdicts] == ["trust", "rule"]
    assert asked == []


def test_headless_what_has_to_be_asked_is_denied() -> None:
    for gates in ([], [says(ASK)], [Gate("quiet", silent)]):
        verdict = judge_now(LINE, gates).verdict
        assert (verdict.decision, verdict.who, verdict.why) == ("deny", "nobody", "nobody can be asked here")


# A changed request


def test_a_change_is_seen_by_those_before_and_after_it() -> None:
    seen: list[str] = []

    def guard(request: LineRequest) -> Verdict | None:
        seen.append(request.exact)
        return Verdict(DENY, why="no rm") if request.exact.startswith("rm") else Verdict(ALLOW)

    answer = judged(Gate("before", guard), Gate("changes", runs("rm x")), Gate("after", guard))
    assert (answer.verdict.decision, answer.verdict.who) == ("deny", "after")
    answer = judged(Gate("before", guard), Gate("changes", runs("rm x")))
    assert (answer.verdict.decision, answer.verdict.who) == ("deny", "before")
    assert seen == ["ls", "rm x", "ls", "rm x"]


def test_the_user_is_shown_the_changed_request() -> None:
    person = Person()
    answer = judged(says(ASK), Gate("changes", runs("ls -l")), confirm=person)
    assert person.asked == [("ls -l", ["ask"])]
    assert answer.request.exact == "ls -l"


def test_questions_come_in_the_order_of_the_list_also_after_a_change() -> None:
    person = Person()
    judged(says(ASK, "one"), Gate("changes", runs("ls -l")), says(ASK, "two"), confirm=person)
    assert person.asked == [("ls -l", ["one", "two"])]


def test_what_a_gate_said_about_the_old_request_does_not_count() -> None:
    gate = Gate("rule", lambda request: Verdict(ALLOW if request.exact == "ls" else ASK))
    assert not judged(gate, Gate("changes", runs("rm x"))).verdict.is_allowed


def test_a_gate_is_not_asked_about_its_own_change() -> None:
    """So one that adds to the line each time it is asked does not do so twice."""
    gate = Gate("adds", lambda request: request.replace(exact=f"{request.exact} -l"))
    assert judged(says(ALLOW), gate, says(ALLOW)).request.exact == "ls -l"


@pytest.mark.parametrize("decision", [ALLOW, ASK, DENY])
def test_a_gate_may_change_the_request_and_judge_what_it_became(decision: str) -> None:
    both = Gate("both", lambda request: Judged(request.replace(exact="ls -l"), Verdict(decision)))
    seen: list[str] = []
    other = Gate("other", lambda request: seen.append(request.exact))
    found = judged(other, both, confirm=Person(DENY))
    assert found.request.exact == "ls -l"
    assert found.verdict.is_allowed == (decision == ALLOW)
    assert found.verdict.who == ("user" if decision == ASK else "both")
    assert seen == (["ls"] if decision == DENY else ["ls", "ls -l"])


def test_two_that_undo_each_other_are_asked_a_bounded_number_of_times_and_then_it_is_denied() -> None:
    count: list[str] = []

    def counted(line: str) -> Callable[[LineRequest], LineRequest]:
        return lambda request: count.append(line) or request.replace(exact=line)  # type: ignore[func-returns-value]

    answer = judged(says(ALLOW), Gate("one", counted("a")), Gate("two", counted("b")))
    assert (answer.verdict.decision, answer.verdict.who) == ("deny", "one, two")
    assert answer.verdict.why == "it was changed again and again, 3 times after it had been judged"
    assert count == ["a", "b"] * (1 + ROUNDS)


def test_changes_that_fit_together_settle() -> None:
    def adds(word: str) -> Callable[[LineRequest], LineRequest]:
        return lambda request: request if word in request.exact else request.replace(exact=f"{request.exact} {word}")

    assert judged(Gate("b", adds("-b")), Gate("a", adds("-a")), says(ALLOW)).request.exact == "ls -b -a"


# Gates that fail


class Odd(BaseException):
    """Not an Exception: no careless `except` stops it."""


def raises(_request: Request) -> Verdict:
    raise ValueError("oh no")


def raises_oddly(_request: Request) -> Verdict:
    raise Odd("out of my way")


def exits(_request: Request) -> Verdict:
    sys.exit(0)


def answers_yes(_request: Request) -> Any:
    return True


def answers_a_wrong_decision(_request: Request) -> Verdict:
    return Verdict("yes")


def answers_another_request(_request: Request) -> Request:
    return Request()


def spins(_request: Request) -> Verdict:
    while True:
        pass


async def waits(_request: Request) -> Verdict:
    await asyncio.sleep(30)
    return Verdict(ALLOW)


async def ignores_that_its_time_is_up(_request: Request) -> Verdict:
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(30)
    return Verdict(ALLOW)


async def cancels_itself(_request: Request) -> Verdict:
    raise asyncio.CancelledError


FAILING: dict[Callable[[Any], Any], str] = {
    raises: "failed: ValueError: oh no",
    raises_oddly: "failed: Odd: out of my way",
    exits: "failed: called sys.exit(0)",
    answers_yes: "failed: TypeError: answered bool; a gate answers a verdict, a changed request, or None",
    answers_a_wrong_decision: "failed: TypeError: answered the decision 'yes'; "
    "a gate answers a verdict, a changed request, or None",
    answers_another_request: "failed: TypeError: answered Request; "
    "a gate answers a verdict, a changed request, or None",
    spins: f"failed: took longer than {SLOW:g} s",
    waits: f"failed: took longer than {SLOW:g} s",
    ignores_that_its_time_is_up: f"failed: took longer than {SLOW:g} s",
    cancels_itself: "failed: CancelledError",
}


@pytest.mark.parametrize("fails", FAILING)
def test_a_gate_that_fails_denies_with_its_name_and_the_reason(fails: Callable[[Any], Any]) -> None:
    answer = judged(says(ALLOW), Gate("guard", fails, SLOW), says(ALLOW), confirm=Person())
    assert answer.verdict == Verdict(DENY, "guard", FAILING[fails])
    assert answer.verdicts[-1] == answer.verdict


def test_a_gate_whose_process_is_killed_denies() -> None:
    if sys.platform == "win32":
        pytest.skip("kills with a signal")

    async def waits_for_what_was_killed(_request: Request) -> Verdict:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(60)")
        os.kill(process.pid, signal.SIGKILL)
        if await process.wait():
            raise RuntimeError(f"was ended by signal {-(process.returncode or 0)}")
        return Verdict(ALLOW)

    answer = judged(Gate("guard", waits_for_what_was_killed), confirm=Person())
    assert answer.verdict == Verdict(DENY, "guard", "failed: RuntimeError: was ended by signal 9")


@pytest.mark.parametrize("fails", [each for each in FAILING if each not in (spins,)])
def test_without_an_event_loop_a_gate_that_fails_or_would_wait_denies(fails: Callable[[Any], Any]) -> None:
    verdict = judge_now(LINE, [says(ALLOW), Gate("guard", fails)], Person()).verdict
    assert (verdict.decision, verdict.who) == ("deny", "guard")


def test_ctrl_c_and_the_end_of_our_own_task_are_no_verdict() -> None:
    def interrupts(_request: Request) -> Verdict:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge_now(LINE, [Gate("guard", interrupts)])

    async def run() -> None:
        limit = TimeLimit(has_signals=False)
        task = asyncio.create_task(judge(LINE, [Gate("guard", waits)], None, limit))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        limit.close()

    asyncio.run(run())


# The user


@pytest.mark.parametrize("answer", [True, None, "allow", Verdict(ASK), Verdict("yes"), LINE])
def test_whatever_is_no_verdict_of_the_user_is_a_no(answer: Any) -> None:
    verdict = judge_now(LINE, [says(ASK)], lambda *_: answer).verdict
    assert (verdict.decision, verdict.who) == ("deny", "user")


def test_a_question_that_breaks_is_a_no() -> None:
    def broken(*_given: object) -> Verdict:
        raise OSError("the terminal is gone")

    assert judge_now(LINE, [], broken).verdict == Verdict(DENY, "user", "failed: OSError: the terminal is gone")


def test_a_question_may_say_itself_why_it_does_not_go_on() -> None:
    def refuses(*_given: object) -> Verdict:
        raise PiscesError(Diagnostic("consent-hash-differs", ERROR, "another hash"))

    with pytest.raises(PiscesError, match="another hash"):
        judge_now(LINE, [], refuses)


def test_time_in_which_the_user_is_asked_is_nobodys_timeout() -> None:
    """Neither that of a gate which asks, nor that of the handler in which the whole walk happens."""

    async def asks(_request: Request) -> Verdict:
        with not_counted():
            await asyncio.sleep(SLOW * 2)
        return Verdict(ASK)

    async def thinks(_request: Request, _questions: object) -> Verdict:
        await asyncio.sleep(SLOW * 2)
        return Verdict(ALLOW)

    async def run() -> Verdict:
        limit = TimeLimit(has_signals=False)

        async def handler(_argument: None) -> Verdict:
            return (await judge(LINE, [Gate("asks", asks, SLOW)], thinks, limit)).verdict

        try:
            verdict: Verdict = await limit.call("outer.py", handler, None, SLOW)
        finally:
            limit.close()
        return verdict

    assert asyncio.run(run()) == Verdict(ALLOW, "user")


def test_a_background_task_of_an_earlier_call_stops_nobodys_time() -> None:
    async def run() -> str:
        limit, tasks = TimeLimit(has_signals=False), []

        async def later() -> None:
            with not_counted():
                await asyncio.sleep(30)

        async def starts(_request: Request) -> None:
            tasks.append(asyncio.create_task(later()))

        async def outer(_argument: None) -> None:
            await judge(LINE, [Gate("starts", starts, SLOW)], None, limit)
            await asyncio.sleep(30)

        try:
            await limit.call("outer.py", outer, None, SLOW)
        except Exception as error:  # noqa: BLE001  # its text is what is tested
            return str(error)
        finally:
            tasks[0].cancel()
            limit.close()
        return "never ended"

    assert asyncio.run(run()) == f"took longer than {SLOW:g} s"


def test_each_gate_has_a_time_limit_of_its_own() -> None:
    async def slowly(_request: Request) -> Verdict:
        await asyncio.sleep(SLOW)
        return Verdict(ALLOW)

    gates = [Gate("patient", slowly, SLOW * 20), Gate("impatient", slowly, SLOW / 5)]
    started = time.monotonic()
    assert judged(*gates).verdict.who == "impatient"
    assert time.monotonic() - started < SLOW * 20


# What is touched


def test_nothing_of_the_process_or_the_loop_is_touched() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()

        def state() -> tuple[object, ...]:
            handlers = [signal.getsignal(each) for each in (signal.SIGINT, getattr(signal, "SIGURG", signal.SIGTERM))]
            streams = (sys.stdout, sys.stderr, sys.excepthook)
            hooks = (loop.get_task_factory(), loop.get_exception_handler(), len(asyncio.all_tasks()))
            return (*streams, *handlers, *hooks)

        seen: list[tuple[object, ...]] = []
        limit = TimeLimit(has_signals=False)
        before = state()
        look = Gate("look", lambda _request: seen.append(state()))
        await judge(LINE, [look, Gate("slow", waits, SLOW / 5), look], Person(), limit)
        limit.close()
        assert [*seen, state()] == [before] * 2

    asyncio.run(run())


def test_deciding_without_an_event_loop_loads_no_asyncio() -> None:
    script = """
import json, sys
from pisces.gates.judge import Gate, judge_now
from pisces.shapes.request import LineRequest
from pisces.shapes.verdict import ALLOW, Verdict
verdict = judge_now(LineRequest("ls", "/do", "do.toml"), [Gate("rule", lambda request: Verdict(ALLOW), None)]).verdict
print(json.dumps([verdict.decision, "asyncio" in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["allow", False]
