"""What servers ask of the user and of the model: declined unless somebody allows exactly that, and bounded."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, Request, Verdict
from tests.host.world import Answers
from tests.mcp.wiring_world import ADD, SAY, ServerWorld

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM = {**ADD, "act": "elicit", "params": {"message": "Your name?", "requestedSchema": SCHEMA, "mode": "form"}}
QUESTION = {"messages": [{"role": "user", "content": {"type": "text", "text": "1+1?"}}], "maxTokens": 10}
SAMPLE = {**ADD, "act": "sample", "params": {**QUESTION, "systemPrompt": "Be brief"}}


@pytest.fixture
def world(tmp_path: Path) -> ServerWorld:
    world = ServerWorld(tmp_path.resolve())
    world.configure("boat", trust=True)
    return world


class Asked:
    """An `approve` that has one answer to questions of servers, and remembers those questions."""

    def __init__(self, answer: Any = False) -> None:
        self.answer, self.asked = answer, list[Request]()

    def __call__(self, request: Request, _questions: tuple[Verdict, ...]) -> Any:
        self.asked.append(request)
        return self.answer


def answered(world: ServerWorld, approve: Any, times: int = 1, **options: Any) -> list[Any]:
    """What the server got as the answer to its question."""

    async def run() -> list[Any]:
        async with Host.open(world.places, approve=approve, **options) as host:
            await host.connect()
            return [json.loads((await host.call("boat__add", {})).text) for _ in range(times)]

    return asyncio.run(run())


def test_a_question_for_data_is_declined_unless_the_user_gives_them(world: ServerWorld) -> None:
    world.say_of("boat", FORM)
    for answer in (False, True, {"other": 1}, {"name": 1}, "Ann", None, [1]):
        assert answered(world, Asked(answer)) == [{"action": "decline"}], answer
    asked = Asked({"name": "Ann"})
    assert answered(world, asked) == [{"action": "accept", "content": {"name": "Ann"}}]
    (request,) = asked.asked
    assert (request.KIND, request.exact) == ("elicitation", "Your name?")


@pytest.mark.parametrize(("answer", "action"), [(True, "accept"), (False, "decline")])
def test_what_a_module_fills_in_is_handed_over_only_if_the_user_agrees(
    answer: bool, action: str, world: ServerWorld
) -> None:
    world.say_of("boat", FORM)
    module = world.module(
        "@pisces.on(Elicitation)\ndef fill(event):\n    return event.answer('accept', {'name': 'Bob'})\n"
        "@pisces.on(ElicitationResult)\ndef swap(event):\n    return event.replace(content={'name': 'Eve'})"
    )
    asked = Asked(answer)
    (found,) = answered(world, asked, modules=[module])
    assert found["action"] == action
    assert found.get("content", {"name": "Bob"}) == {"name": "Bob"}, "what nobody saw is not handed over"
    assert getattr(asked.asked[0], "content", None) == {"name": "Bob"}


def test_a_module_may_decline_and_then_nobody_is_asked(world: ServerWorld) -> None:
    world.say_of("boat", FORM)
    module = world.module("@pisces.on(Elicitation)\ndef no(event):\n    return event.answer('decline')")
    asked = Asked({"name": "Ann"})
    assert answered(world, asked, modules=[module]) == [{"action": "decline"}]
    assert asked.asked == []


@pytest.mark.parametrize(("url", "action"), [("https://a.example/x", "accept"), ("file:///etc/passwd", "decline")])
def test_an_address_to_open_is_asked_about_and_only_one_of_the_web(url: str, action: str, world: ServerWorld) -> None:
    params = {"message": "Log in", "mode": "url", "url": url, "elicitationId": "1"}
    world.say_of("boat", {**FORM, "params": params})
    assert answered(world, Asked(True)) == [{"action": action}]


def test_the_model_is_asked_only_if_the_user_allows_what_is_asked(world: ServerWorld) -> None:
    world.say_of("boat", SAMPLE)
    prompts: list[str] = []

    async def complete(question: Any) -> str:
        prompts.append(question.prompt)
        return "two"

    (denied,) = answered(world, Asked(False), complete=complete)
    assert "code" in denied
    assert prompts == []
    asked = Asked(True)
    (found,) = answered(world, asked, complete=complete)
    assert found["content"] == {"type": "text", "text": "two"}
    assert [(each.KIND, each.exact) for each in asked.asked] == [("sampling", "system: Be brief\nuser: 1+1?")]
    assert prompts == [asked.asked[0].exact]


def _offered(world: ServerWorld) -> set[str]:
    first = next(each for each in reversed(world.log_of("boat")) if each.get("method") == "initialize")
    return set(first["params"]["capabilities"])


def test_where_nobody_can_be_asked_servers_are_not_offered_to_ask(world: ServerWorld) -> None:
    world.say_of("boat", {**FORM, "act": "roots"})

    async def complete(_question: Any) -> str:
        return "two"

    answered(world, Asked(True), is_interactive=False, complete=complete)
    assert _offered(world) == {"roots"}
    answered(world, Asked(True))
    assert _offered(world) == {"roots", "elicitation"}
    answered(world, Asked(True), complete=complete)
    assert _offered(world) == {"roots", "elicitation", "sampling"}


def test_roots_are_the_workspace_and_nothing_else(world: ServerWorld) -> None:
    world.say_of("boat", {**FORM, "act": "roots"})
    (found,) = answered(world, Asked())
    assert [each["uri"] for each in found["roots"]] == [world.cwd.as_uri()]


def test_a_server_that_asks_again_and_again_is_not_heard(world: ServerWorld) -> None:
    world.say_of("boat", FORM)
    asked = Asked({"name": "Ann"})
    found = answered(world, asked, times=15)
    assert [each["action"] for each in found] == ["accept"] * 10 + ["decline"] * 5
    assert len(asked.asked) == 10


def test_an_approve_that_fails_is_a_no(world: ServerWorld) -> None:
    world.say_of("boat", FORM)

    def approve(_request: Request, _questions: tuple[Verdict, ...]) -> bool:
        raise RuntimeError("broken")

    assert answered(world, approve) == [{"action": "decline"}]


def test_notifications_reach_modules(world: ServerWorld) -> None:
    world.say_of("boat", ADD, {**SAY, "act": "announce"})
    heard = world.home / "heard.txt"
    module = world.module(
        "@pisces.on(McpNotification)\ndef hear(event):\n"
        f"    with open({str(heard)!r}, 'a') as file:\n        file.write(event.server + event.method)"
    )

    async def run() -> None:
        async with Host.open(world.places, approve=Answers(), modules=[module]) as host:
            await host.connect()
            await host.call("boat__say", {})
            async with asyncio.timeout(20):
                while not heard.exists():
                    await asyncio.sleep(0.01)

    asyncio.run(run())
    assert "boatnotifications/tools/list_changed" in heard.read_text("utf-8")


def _hooked(world: ServerWorld, **settings: Any) -> tuple[str, bool]:
    """A hook before every call that asks the tool `say` of the server."""
    hook = {"type": "mcp_tool", "server": "boat", "tool": "say", "input": {"command": "${tool_name}"}}
    hooks = {"PreToolUse": [{"hooks": [hook]}]}
    world.write("~/.claude/settings.json", json.dumps({"hooks": hooks, **settings}))

    async def run() -> tuple[str, bool]:
        async with Host.open(world.places, approve=Answers(False)) as host:
            await host.connect()
            result = await host.call("boat__add", {})
            return result.text, result.is_error

    return asyncio.run(run())


def test_a_hook_calls_a_tool_of_the_hosts_own_server_and_not_itself(world: ServerWorld) -> None:
    deny = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
    said = {"content": [{"type": "text", "text": json.dumps(deny)}]}
    world.say_of("boat", ADD, {**SAY, "answer": said})
    assert _hooked(world)[1]
    assert world.calls_of("boat") == ["say"], "once: its own call fires no hook"
    world.say_of("boat", ADD, {**SAY, "answer": {"content": [{"type": "text", "text": "{}"}]}})
    assert not _hooked(world)[1]


@pytest.mark.parametrize("rules", [{"deny": ["mcp__boat__say"]}, {"ask": ["mcp__boat__say"]}])
def test_a_rule_holds_for_the_calls_of_hooks(rules: dict[str, Any], world: ServerWorld) -> None:
    world.say_of("boat", ADD, {**SAY, "answer": {"content": [{"type": "text", "text": "{}"}]}})
    _hooked(world, permissions=rules)
    assert "say" not in world.calls_of("boat")
