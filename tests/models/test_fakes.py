"""A session from a prompt to its end against scripted APIs on loopback: what each was sent, and what came of it."""

from __future__ import annotations

import asyncio
import base64
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.loop import DONE, LoopEnd
from pisces.models.choosing import chosen_model
from pisces.models.wire import ModelAsk, ModelFailed, TextDelta, ThinkingDelta
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.event import Event
from pisces.shapes.events.agent import MessageUpdate
from pisces.shapes.events.provider import AutoRetryStart
from pisces.shapes.message import (
    BY_MODEL,
    BY_USER,
    CallPart,
    ChatMessage,
    ImagePart,
    ResultPart,
    TextPart,
    ThinkingPart,
)
from pisces.ui.quiet_ui import QuietUi
from tests.models.fakes import PICTURE, SIDES, running

ALL = pytest.mark.parametrize("name", list(SIDES))


async def nobody(_question: str, _answers: object) -> None:
    return None


class Talk:
    """A session with one of the fakes, and every event of it."""

    def __init__(self, side: Any, folder: Path, thinking: str = "") -> None:
        work = folder / "work"
        work.mkdir(exist_ok=True)
        self.places = Places(str(folder), str(work), side.env())
        if side.config():
            Path(self.places.agent_dir).mkdir(parents=True)
            Path(self.places.agent_dir, "config.yml").write_text(side.config(), encoding="utf-8")
        self.events: list[Event] = []
        self.model = chosen_model(side.wanted, self.places)
        self.options = SessionOptions(
            lambda _request, _questions: False,
            nobody,
            QuietUi(print),
            self.model,
            readers=(self.events.append,),
            thinking=thinking,
        )

    def write(self, name: str, text: str) -> None:
        Path(self.places.cwd, name).write_text(text, encoding="utf-8")

    async def _said(self, lines: tuple[str, ...], images: tuple[ImagePart, ...]) -> list[LoopEnd]:
        ends = []
        async with aclosing(self), open_session(self.places, self.options) as session:
            for line in lines:
                end = (await session.submit(line, images)).end
                assert end is not None
                ends.append(end)
        return ends

    async def aclose(self) -> None:
        assert self.model is not None
        await self.model.close()

    def said(self, *lines: str, images: tuple[ImagePart, ...] = ()) -> list[LoopEnd]:
        return asyncio.run(self._said(lines, images))

    def deltas(self, kind: type[Any]) -> str:
        found = [each.delta for each in self.events if isinstance(each, MessageUpdate)]
        return "".join(each.text for each in found if isinstance(each, kind))


@ALL
def test_text_streams_and_tokens_are_counted(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        side.server.push(side.text("Boats float because they weigh less than the water that they push aside."))
        talk = Talk(side, tmp_path)
        (end,) = talk.said("why do boats float?")
        assert end.ended == DONE
        assert end.text.startswith("Boats float")
        assert talk.deltas(TextDelta) == end.text
        assert (end.usage.input, end.usage.output) == (10, 5)
        assert end.cost is not None
        assert end.cost > 0
        assert "why do boats float?" in str(side.bodies[0])
        assert "read" in str(side.bodies[0]["tools"])


@ALL
def test_parallel_calls_go_back_with_their_results_in_order(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        calls = [side.call("read", {"path": f"{each}.txt"}, f"call-{each}") for each in "abc"]
        side.server.push(side.text("I look."), *calls)
        side.server.push(side.text("All read."))
        talk = Talk(side, tmp_path)
        talk.write("a.txt", "alpha")
        talk.write("c.txt", "gamma")
        (end,) = talk.said("read them")
        assert (end.text, end.turns) == ("All read.", 2)
        results = side.results(side.bodies[1])
        assert [call_id for call_id, _ in results] == ["call-a", "call-b", "call-c"]
        assert "alpha" in results[0][1]
        assert "does not exist" in results[1][1]
        assert "gamma" in results[2][1]


@pytest.mark.parametrize("name", ["anthropic", "gemini"])
def test_thinking_streams_and_its_signature_goes_back(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        side.server.push(side.thinking("a.txt may say it"), side.call("read", {"path": "a.txt"}, "call-1"))
        side.server.push(side.text("done"))
        talk = Talk(side, tmp_path, thinking="high")
        talk.write("a.txt", "alpha")
        talk.said("think")
        assert "a.txt may say it" in talk.deltas(ThinkingDelta)
        assert side.signatures(side.bodies[1]) == [side.signature]
        assert "hink" in str({key: side.bodies[0][key] for key in side.bodies[0].keys() - {"messages", "contents"}})


@ALL
def test_an_image_of_the_user_is_sent(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        talk = Talk(side, tmp_path)
        talk.said("what is this?", images=(ImagePart("image/png", PICTURE),))
        assert side.images(side.bodies[0]) == [PICTURE]


async def _asked(talk: Talk, *messages: ChatMessage) -> None:
    assert talk.model is not None
    async with aclosing(talk), talk.model.answering(ModelAsk("", messages)) as stream:
        async for _ in stream:
            pass


@ALL
def test_an_image_that_a_tool_returned_is_sent(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        call = CallPart("call-1", "look", {})
        shown = ResultPart("call-1", "look", (TextPart("here"), ImagePart("image/png", PICTURE)))
        messages = (
            ChatMessage(BY_USER, (TextPart("look"),)),
            ChatMessage(BY_MODEL, (call,)),
            ChatMessage(BY_USER, (shown,)),
        )
        asyncio.run(_asked(Talk(side, tmp_path), *messages))
        assert side.images(side.bodies[0]) == [PICTURE]


@ALL
@pytest.mark.parametrize("status", [429, 500])
def test_trouble_that_passes_is_tried_again(name: str, status: int, tmp_path: Path) -> None:
    with running(name) as side:
        side.server.push_raw(side.error(status))
        side.server.push(side.text("now"))
        talk = Talk(side, tmp_path)
        (end,) = talk.said("hello")
        assert end.text == "now"
        assert len(side.bodies) == 2
        assert side.bodies[0] == side.bodies[1]
        (retry,) = [each for each in talk.events if isinstance(each, AutoRetryStart)]
        assert f"scripted trouble ({status})" in str(retry)


@ALL
def test_a_stream_that_is_cut_is_asked_for_again_and_leaves_nothing_in_the_conversation(
    name: str, tmp_path: Path
) -> None:
    with running(name) as side:
        side.server.push_raw(side.cut("half a sentence that never"))
        side.server.push(side.text("a whole sentence"))
        talk = Talk(side, tmp_path)
        end, _ = talk.said("hello", "and now?")
        assert end.text == "a whole sentence"
        assert len(side.bodies) == 3
        assert "half a" not in str(side.bodies[2])
        assert "a whole sentence" in str(side.bodies[2])


@ALL
def test_a_refused_key_ends_at_once_and_is_not_shown(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        error = side.error(401)
        error.message = "wrong key: the-secret-key"
        side.server.push_raw(error)
        with pytest.raises(ModelFailed) as caught:
            Talk(side, tmp_path).said("hello")
        assert str(caught.value) == "wrong key: *** (401)"
        assert len(side.bodies) == 1


@pytest.mark.parametrize("name", ["chat", "responses"])
def test_malformed_arguments_go_back_as_they_were_with_an_error_for_the_model(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        side.server.push(side.call("read", '{"path": "a.t', "call-1"))
        side.server.push(side.text("sorry"))
        (end,) = Talk(side, tmp_path).said("read")
        assert end.text == "sorry"
        ((call_id, text),) = side.results(side.bodies[1])
        assert call_id == "call-1"
        assert "no JSON object" in text
        assert side.arguments(side.bodies[1]) == ['{"path": "a.t']


@pytest.mark.parametrize(("name", "option"), [("anthropic", "delay"), ("gemini", "chunk_delay")])
def test_a_cancelled_answer_ends_its_request_and_the_session_goes_on(name: str, option: str, tmp_path: Path) -> None:
    async def body(talk: Talk, side: Any) -> LoopEnd:
        async with aclosing(talk), open_session(talk.places, talk.options) as session:
            await _cancelled(session, talk)
            setattr(side.server, option, 0)
            end = (await session.submit("again")).end
            assert end is not None
            return end

    async def _cancelled(session: Session, talk: Talk) -> None:
        task = asyncio.ensure_future(session.submit("count"))
        while not talk.deltas(TextDelta):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with running(name, **{option: 0.05}) as side:
        side.server.push(*(side.text(f"number {each} of a long list ") for each in range(200)))
        side.server.push(side.text("here I am"))
        talk = Talk(side, tmp_path)
        end = asyncio.run(asyncio.wait_for(body(talk, side), 30))
        assert end.text == "here I am"


def test_thinking_of_one_provider_never_goes_to_another(tmp_path: Path) -> None:
    thought = ThinkingPart("plan", "signed", "hidden", "item")
    messages = (
        ChatMessage(BY_USER, (TextPart("a"),)),
        ChatMessage(BY_MODEL, (thought, TextPart("b")), "somebody-else"),
        ChatMessage(BY_USER, (TextPart("c"),)),
    )
    for name in SIDES:
        (tmp_path / name).mkdir()
        with running(name) as side:
            asyncio.run(_asked(Talk(side, tmp_path / name), *messages))
            for secret in ("signed", "hidden", "plan"):
                assert secret not in str(side.bodies[0])


@ALL
def test_a_picture_that_is_read_is_seen(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        side.server.push(side.call("read", {"path": "dot.png"}, "call-1"))
        side.server.push(side.text("a dot"))
        talk = Talk(side, tmp_path)
        Path(talk.places.cwd, "dot.png").write_bytes(base64.b64decode(PICTURE))
        (end,) = talk.said("what is in dot.png?")
        assert end.text == "a dot"
        assert side.images(side.bodies[1]) == [PICTURE]


@pytest.mark.parametrize("name", ["anthropic", "gemini"])
def test_thinking_that_is_refused_later_is_left_out_and_the_session_goes_on(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        refused = side.error(400)
        refused.message = "messages.1.content.0: Invalid `signature` in `thinking` block. It is bound to another one"
        side.server.push(side.thinking("an old plan"), side.text("first"))
        side.server.push_raw(refused)
        side.server.push(side.thinking("a new plan"), side.text("second"))
        side.server.push(side.text("third"))
        ends = Talk(side, tmp_path, thinking="high").said("one", "two", "three")
        assert [each.text for each in ends] == ["first", "second", "third"]
        assert ["an old plan" in str(each) for each in side.bodies] == [False, True, False, False]
        assert "a new plan" in str(side.bodies[3])
        assert "first" in str(side.bodies[3])


def test_a_request_that_is_refused_without_signatures_too_is_a_failure(tmp_path: Path) -> None:
    with running("anthropic") as side:
        for _ in range(2):
            refused = side.error(400)
            refused.message = "Invalid signature in thinking block"
            side.server.push_raw(refused)
        with pytest.raises(ModelFailed, match="Invalid signature"):
            Talk(side, tmp_path).said("one")
        assert len(side.bodies) == 2
