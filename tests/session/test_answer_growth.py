"""What modules hear of an answer while it grows, and what is on disk meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pisces.agent.transcript import read_transcript
from pisces.models.wire import ModelFailed, TextDelta
from pisces.session import answer_growth
from pisces.session.answer_growth import AnswerGrowth
from pisces.session.session import Session
from pisces.shapes.events.agent import MessageStart, MessageUpdate
from pisces.shapes.message import BY_MODEL, CallPart, ChatMessage, ThinkingPart
from tests.session.world import SessionWorld, until

LISTENING = """
import json
from pisces import events


def extension(pisces):
    @pisces.on(events.MessageUpdate)
    def heard(event):
        text = event.message["content"][0]["text"]
        with open({path!r}, "a", encoding="utf-8") as file:
            file.write(json.dumps([event.delta["type"], event.delta["delta"], len(text)]) + "\\n")
"""


def heard(folder: Path, *turns: Any) -> list[list[Any]]:
    """The kind and the text of each piece, and the length of the message that came with it."""
    path = folder / "heard.jsonl"
    SessionWorld(folder, turns, LISTENING.format(path=str(path))).submit("hi")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_modules_hear_each_piece_of_a_short_answer(tmp_path: Path) -> None:
    assert heard(tmp_path, "one two three") == [
        ["text_delta", "one ", 4],
        ["text_delta", "two ", 8],
        ["text_delta", "three", 13],
    ]


def test_a_long_answer_costs_modules_what_its_length_is_and_not_its_square(tmp_path: Path) -> None:
    text = "word " * 40_000
    pieces = heard(tmp_path, text)
    assert "".join(piece for _, piece, _ in pieces) == text
    assert pieces[-1][2] == len(text)
    assert sum(length for *_, length in pieces) < 100 * len(text)


def test_pieces_of_different_kinds_are_not_joined(tmp_path: Path) -> None:
    turn = (ThinkingPart("let me see"), "word " * 3_000, CallPart("1", "list", {}))
    kinds = [kind for kind, *_ in heard(tmp_path, turn, "done")]
    assert list(dict.fromkeys(kinds)) == ["thinking_delta", "text_delta", "toolcall_delta"]
    assert kinds.count("toolcall_delta") == 1


def test_what_a_request_said_before_it_was_made_again_is_not_joined_with_the_second(tmp_path: Path) -> None:
    pieces = heard(tmp_path, ModelFailed("busy", 503, after=0.0, is_passing=True), "at last")
    assert [piece for _, piece, _ in pieces] == ["at ", "last"]


def test_text_on_disk_is_replaced_by_that_of_the_next_attempt_and_gone_with_the_answer(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(answer_growth, "_SECONDS", 0.0)
    world = SessionWorld(tmp_path, ["one"])

    async def work(session: Session) -> list[str]:
        await session.submit("hi")
        growth, path = AnswerGrowth(session), session.transcript.path
        partial = Path(session.transcript.folder) / "partial"
        seen = []
        for text in ("first", "second"):
            await growth.emit(MessageStart(ChatMessage(BY_MODEL, ())))
            await growth.emit(MessageUpdate(None, TextDelta(text)))
            await until(lambda: partial.exists() and partial.read_text(encoding="utf-8").endswith(text))  # noqa: B023
            seen.append(read_transcript(path).messages[-1].text)
        growth.end()
        assert not partial.exists()
        return [*seen, read_transcript(path).messages[-1].text]

    assert world.during(work) == ["first", "second", "one"]
