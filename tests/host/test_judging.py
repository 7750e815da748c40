"""What a host says of a call: gates of the program, handlers, the user; deny beats ask beats allow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from pisces import Gate, Host, PiscesError, Request, ToolCall, ToolRequest, Verdict
from pisces.shapes.verdict import Judged
from tests.host.world import Answers, World

MAKE = ToolCall("bash", "1", {"command": "make"})


def judged(world: World, gates: Sequence[Gate] = (), approve: Any = None, **options: Any) -> Judged:
    async def play() -> Judged:
        async with Host.open(world.places, approve or Answers(), gates=gates, **options) as host:
            return await asyncio.wait_for(host.judge(MAKE), 20)

    return asyncio.run(play())


def test_what_nobody_decides_is_asked_and_a_no_denies(world: World) -> None:
    approve = Answers(False)
    verdict = judged(world, approve=approve).verdict
    assert (verdict.decision, verdict.who) == ("deny", "user")
    assert [exact for exact, _ in approve.asked] == ['bash {"command": "make"}']


def test_approve_sees_who_wants_it_asked(world: World) -> None:
    approve = Answers()
    gate = Gate("house", lambda _request: Verdict.ask("it is new"))
    assert judged(world, [gate], approve).verdict == Verdict("allow", "user")
    ((_, questions),) = approve.asked
    assert questions == (Verdict("ask", "house", "it is new"),)


def test_approve_may_answer_a_verdict_with_its_own_reason(world: World) -> None:
    def approve(request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        return Verdict.allow(f"{request.KIND}, asked by {questions[0].who}")

    gate = Gate("house", lambda _request: Verdict.ask("it is new"))
    verdict = judged(world, [gate], approve).verdict
    assert (verdict.decision, verdict.why) == ("allow", "tool, asked by house")


def test_gates_and_approve_may_be_asynchronous(world: World) -> None:
    async def gate(request: ToolRequest) -> ToolRequest:
        await asyncio.sleep(0)
        return request.replace(call=request.call.with_input(command="make -s"))

    async def approve(request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        await asyncio.sleep(0)
        return Verdict.allow(request.exact)

    found = judged(world, [Gate("longer", gate)], approve)
    assert found.verdict.why == 'bash {"command": "make -s"}'
    assert isinstance(found.request, ToolRequest)
    assert found.request.call.input == {"command": "make -s"}


def test_a_gate_that_takes_too_long_denies(world: World) -> None:
    async def never(_request: Request) -> None:
        await asyncio.Event().wait()

    assert judged(world, [Gate("slow", never, 0.05)]).verdict == Verdict(
        "deny", "slow", "failed: took longer than 0.05 s"
    )


def test_deny_beats_allow_whoever_comes_first(world: World) -> None:
    gates = [
        Gate("one", lambda _request: Verdict.allow()),
        Gate("two", lambda _request: Verdict.deny("no", "ask Ada")),
    ]
    for order in (gates, gates[::-1]):
        approve = Answers()
        assert judged(world, order, approve).verdict == Verdict("deny", "two", "no", "ask Ada")
        assert not approve.asked


def raises(*_: object) -> bool:
    raise ValueError("oops")


async def raises_later(*_: object) -> bool:
    raise ValueError("oops")


@pytest.mark.parametrize("approve", [raises, raises_later])
def test_an_approve_that_raises_denies(world: World, approve: Any) -> None:
    assert judged(world, approve=approve).verdict == Verdict("deny", "user", "failed: ValueError: oops")


@pytest.mark.parametrize("answer", [None, 1, "yes", "allow", {"allow": True}, Verdict.ask(), Verdict("ALLOW"), [True]])
def test_an_approve_that_answers_nonsense_denies(world: World, answer: object) -> None:
    verdict = judged(world, approve=Answers(answer)).verdict
    assert (verdict.decision, verdict.who) == ("deny", "user")
    assert verdict.why.startswith("failed: TypeError: answered ")


def test_whoever_allowed_a_call_has_seen_what_runs(world: World) -> None:
    """A gate that comes before the one that changes the input is asked again."""
    seen: list[Any] = []
    path = world.module(
        "@pisces.on(ToolCall)\ndef quieter(event):\n"
        "    return None if event.input.get('quiet') else event.with_input(quiet=True)"
    )

    def watches(request: ToolRequest) -> Verdict:
        seen.append(dict(request.call.input))
        return Verdict.allow()

    def changes(request: ToolRequest) -> ToolRequest | None:
        call = request.call
        return None if "-s" in call.input["command"] else request.replace(call=call.with_input(command="make -s"))

    gates = [Gate("watches", watches), Gate("changes", changes)]
    found = judged(world, gates, modules=[path])
    assert found.verdict.is_allowed
    assert isinstance(found.request, ToolRequest)
    assert seen[-1] == dict(found.request.call.input)
    assert [change.who for change in found.changes][:2] == [path, "changes"]


def test_two_that_never_agree_deny(world: World) -> None:
    def adds(letter: str) -> Gate:
        return Gate(
            letter, lambda request: request.replace(call=request.call.with_input(c=f"{request.call.input}{letter}"))
        )

    verdict = judged(world, [adds("a"), adds("b")]).verdict
    assert verdict.decision == "deny"
    assert "changed again and again" in verdict.why


def test_a_call_that_is_emitted_is_judged(world: World) -> None:
    async def play() -> tuple[ToolCall, ToolCall]:
        gates = [Gate("no", lambda request: Verdict.deny("not now") if request.call.tool == "rm" else Verdict.allow())]
        async with Host.open(world.places, Answers(False), gates=gates) as host:
            return await host.emit(ToolCall("rm", "1", {})), await host.emit(ToolCall("ls", "2", {}))

    denied, allowed = asyncio.run(play())
    assert (denied.blocked, denied.reason) == (True, "not now")
    assert not allowed.blocked


def test_an_unknown_mode_is_refused(world: World) -> None:
    with pytest.raises(PiscesError, match="no approval mode"):
        judged(world, mode="yolo")
