"""What modules may do in a session, and what they are told where it cannot be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pisces.models.model import ModelFacts, Prices
from pisces.models.scripted import FACTS
from pisces.session.control import controlled
from pisces.session.session import Session
from pisces.shapes.events.agent import AgentSettled
from pisces.shapes.events.provider import ModelSelect, ThinkingLevelSelect
from pisces.shapes.events.session import SessionSwitch
from pisces.shapes.message import CallPart, ResultPart
from tests.session.world import SessionWorld, until


def command(body: str) -> str:
    return (
        "from pisces import events\n"
        "def extension(pisces):\n"
        "    @pisces.command('act', 'acts')\n"
        "    async def act(args):\n"
        f"        {body}\n"
    )


def acted(world: SessionWorld) -> Any:
    (answered,) = world.submit("/act")
    return answered


def test_a_message_of_a_command_starts_the_agent(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"], command("pisces.send_user_message('hi there')"))
    assert acted(world).end.text == "hello"
    assert world.sent() == ["hi there"]


def test_a_message_of_a_module_is_never_run_as_a_command(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"], command("pisces.send_user_message('/act again')"))
    acted(world)
    assert world.sent() == ["/act again"]


def test_messages_of_modules_are_steered_queued_or_wait_for_the_next_line(tmp_path: Path) -> None:
    module = (
        "from pisces import events\n"
        "def extension(pisces):\n"
        "    sent = []\n"
        "    @pisces.on(events.TurnStart)\n"
        "    def send(event):\n"
        "        if not sent:\n"
        "            sent.append(1)\n"
        "            pisces.send_user_message('steered')\n"
        "            pisces.send_user_message('followed', deliver_as='followUp')\n"
        "            pisces.send_message({'customType': 'x', 'content': 'with the next'}, deliver_as='nextTurn')\n"
    )
    world = SessionWorld(tmp_path, ["one", "two", "three", "four"], module)
    world.submit("first", "second")
    assert world.sent(1) == ["first", "one", "steered"]
    assert world.sent()[-1] == "second"
    assert "followedwith the next" in world.sent()


def test_a_custom_message_at_rest_is_read_with_the_next_request(tmp_path: Path) -> None:
    body = "pisces.send_message({'customType': 'fact', 'content': 'water is wet', 'display': True})"
    world = SessionWorld(tmp_path, ["ok"], command(body))

    async def work(session: Session) -> list[Any]:
        await session.submit("/act")
        await session.submit("go")
        return [each.fields.get("customType") for each in session.transcript.entries if each.kind == "message"]

    assert world.during(work) == ["fact", None, None]
    assert world.sent() == ["water is wet", "go"]


def test_only_active_tools_are_offered_and_no_other_one_runs(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "read", {"path": "a"}),)], command("pisces.active_tools = []"))
    world.submit("/act", "read it")
    assert world.model.asked[0].tools == ()
    assert "switched off" in str(world.model.asked[1].messages[-1])


def test_the_level_of_thinking_is_set_and_nonsense_is_said(tmp_path: Path) -> None:
    body = "pisces.host.set_thinking_level('xhigh'); pisces.host.set_thinking_level('nonsense')"
    world = SessionWorld(tmp_path, ["ok"], command(body))
    world.submit("/act", "hi")
    assert world.model.asked[0].thinking == "high"
    assert [each.level for each in world.of(ThinkingLevelSelect)] == ["high"]
    assert any("nonsense" in each for each in world.notices)


def test_a_model_that_nobody_knows_is_not_chosen_and_said(tmp_path: Path) -> None:
    body = "pisces.ui.notify(str(await pisces.host.set_model('nobody/x')))"
    world = SessionWorld(tmp_path, [], command(body))
    world.submit("/act")
    assert world.notices[-1] == "False"
    assert not world.of(ModelSelect)
    assert any("the model stays as it is" in each for each in world.notices)


def test_another_model_answers_from_the_next_request_on(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["from the first"])
    other = SessionWorld(tmp_path / "other", ["from the second"], facts=FACTS.replace(id="scripted-2")).model

    async def work(session: Session) -> list[str]:
        await session.submit("one")
        assert await session.models.use(other) == ""
        await session.submit("two")
        return [each.model for each in session.usage_by_model]

    assert world.during(work) == ["scripted/scripted-1", "scripted/scripted-2"]
    assert [each.model["id"] for each in world.of(ModelSelect)] == ["scripted-2"]


def test_a_module_may_keep_the_model(tmp_path: Path) -> None:
    module = (
        "from pisces import events\n"
        "def extension(pisces):\n"
        "    pisces.on(events.BeforeModelSwitch)(lambda event: event.cancel('stay'))\n"
    )
    world = SessionWorld(tmp_path, [], module)

    async def work(session: Session) -> str:
        return await session.models.use(world.model)

    assert world.during(work) == "stay"


def test_a_module_asks_a_model_beside_the_conversation(tmp_path: Path) -> None:
    asked = "{'systemPrompt': 'count', 'messages': [{'role': 'user', 'content': '2 + 2?'}]}"
    body = f"pisces.ui.notify((await pisces.host.complete(None, {asked}, {{}}))['content'][0]['text'])"
    world = SessionWorld(tmp_path, ["4"], command(body))

    async def work(session: Session) -> tuple[int, int]:
        await session.submit("/act")
        return len(session.transcript.messages), session.usage_by_model[0].requests

    assert world.during(work) == (0, 1)
    assert world.notices == ["4"]
    assert world.model.asked[0].system == "count"


def test_a_new_session_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    body = "pisces.ui.notify(str(await pisces.host.control('new_session', {})))"
    world = SessionWorld(tmp_path, ["one", "two"], command(body))

    async def work(session: Session) -> tuple[str, str]:
        await session.submit("first")
        old = session.transcript.id
        await session.submit("/act")
        await session.submit("second")
        return old, session.transcript.id

    old, new = world.during(work)
    assert old != new
    assert world.sent() == ["second"]
    assert [each.cause for each in world.of(SessionSwitch)] == ["new"]


def test_what_a_session_cannot_do_is_said(tmp_path: Path) -> None:
    body = "pisces.ui.notify(str((await pisces.host.control('fly', {}))['cancelled']))"
    world = SessionWorld(tmp_path, [], command(body))
    world.submit("/act")
    assert world.notices[-1] == "True"
    assert any("`fly`" in each for each in world.notices)


def test_a_fork_goes_on_before_an_entry(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one", "two", "other"])

    async def work(session: Session) -> Any:
        await session.submit("first")
        await session.submit("second")
        entry = [each.id for each in session.transcript.branch if each.kind == "message"][2]
        answer = await controlled(session, "fork", {"entry_id": entry, "position": "before"})
        await session.submit("second, better")
        return answer

    assert world.during(work) == {"cancelled": False}
    assert world.sent() == ["first", "one", "second, better"]


def test_tokens_and_cost_are_counted_for_each_model(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one", "two"], facts=FACTS.replace(prices=Prices(1.0, 2.0)))

    async def work(session: Session) -> None:
        await session.submit("first")
        await session.submit("second")
        (only,) = session.usage_by_model
        assert only.requests == 2
        assert (session.usage, session.cost) == (only.usage, only.cost)
        assert session.cost is not None
        assert session.cost > 0

    world.during(work)


def test_the_cost_of_a_model_without_prices_is_not_said_to_be_nothing(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one"], facts=ModelFacts("free?", "p"))

    async def work(session: Session) -> float | None:
        await session.submit("first")
        return session.cost

    assert world.during(work) is None


def test_malformed_arguments_and_unknown_tools_are_explained_to_the_model(tmp_path: Path) -> None:
    calls = (
        CallPart("1", "read", malformed='{"path": '),
        CallPart("2", "reed", {}),
        CallPart("3", "read", malformed="[]"),
    )
    world = SessionWorld(tmp_path, [calls, "sorry"])
    world.submit("hi")
    results = [part.text for part in world.model.asked[1].messages[2].parts if isinstance(part, ResultPart)]
    assert "line 1 column 10" in results[0]
    assert "Did you mean `read`?" in results[1]
    assert "list" in results[2]


def test_a_module_sees_the_transcript_in_the_shapes_it_knows(tmp_path: Path) -> None:
    entries = "[each for each in pisces.session.entries() if each['type'] == 'message']"
    body = f"pisces.ui.notify(' '.join(each['message']['role'] for each in {entries}))"
    world = SessionWorld(tmp_path, [(CallPart("1", "read", {"path": "a"}),), "done"], command(body))
    world.submit("go", "/act")
    assert world.notices == ["user assistant toolResult assistant"]


def test_messages_of_a_module_that_loads_run_before_the_first_line(tmp_path: Path) -> None:
    module = (
        "from pisces import events\n"
        "def extension(pisces):\n"
        "    pisces.on(events.SessionStart)(lambda event: pisces.send_user_message('good morning'))\n"
    )
    world = SessionWorld(tmp_path, ["morning", "fine"], module)

    async def work(session: Session) -> None:
        await until(lambda: bool(world.of(AgentSettled)))
        await session.submit("how are you?")

    world.during(work)
    assert world.sent() == ["good morning", "morning", "how are you?"]
