"""Any sequence of messages, compactions, undone ones, failures, other branches and restarts leaves a conversation that
a model takes, with the user's words in it.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.compaction import MANUAL, TOO_LONG, CompactionScene, Compactor
from pisces.agent.compaction_entry import conversation, standing
from pisces.agent.transcript import Transcript, new_transcript, read_transcript
from pisces.agent.transcript_context import as_read
from pisces.models.model import ModelFacts
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelFailed
from pisces.places import Places
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart

FACTS = ModelFacts("scripted-1", "scripted", "scripted", window=4_000)


def compactor_of(transcript: Transcript, summary: Any) -> Compactor:
    async def emit(event: Any) -> Any:
        return event

    async def nothing() -> None: ...

    model = ScriptedModel([summary] * 9, facts=FACTS)
    scene = CompactionScene(
        lambda: transcript, lambda: model, emit, lambda _usage, _model: None, nothing, lambda _text: None
    )
    return Compactor(scene)


def talk(transcript: Transcript, chance: random.Random, said: str) -> None:
    """A message of the user and some turns of the model."""
    transcript.append_message(ChatMessage(BY_USER, (TextPart(said),)), {})
    for _ in range(chance.randrange(4)):
        calls = [
            CallPart(str(chance.randrange(3) + at * 3), "read", {"path": "a"}) for at in range(chance.randrange(3))
        ]
        text = "t" * chance.randrange(600)
        usage = {"usage": {"input": chance.randrange(5_000), "output": 5}} if chance.random() < 0.5 else {}
        transcript.append_message(ChatMessage(BY_MODEL, (TextPart(text), *calls)), usage)
        if calls:
            results = (ResultPart(each.id, "read", (TextPart("r" * chance.randrange(9_000)),)) for each in calls)
            transcript.append_message(ChatMessage(BY_USER, tuple(results)), {})


async def step(transcript: Transcript, chance: random.Random, said: list[str]) -> Transcript:
    kind = chance.choice(("talk", "talk", "talk", "compact", "auto", "too long", "undo", "fails", "reopen", "walk"))
    if kind == "talk":
        said.append(f"wish {len(said)} " + "w" * chance.randrange(300) + "!")
        talk(transcript, chance, said[-1])
    elif kind == "compact":
        await compactor_of(transcript, "notes").compact("", MANUAL)
    elif kind == "auto":
        await compactor_of(transcript, "notes").before_request()
    elif kind == "too long":
        await compactor_of(transcript, "notes").compact("", TOO_LONG)
    elif kind == "undo":
        compactor_of(transcript, "notes").undo()
    elif kind == "fails":
        before = transcript.messages
        made = await compactor_of(transcript, ModelFailed("no", 400)).compact("", MANUAL)
        assert transcript.messages == before
        assert made.problem
    elif kind == "reopen":
        before = transcript.messages
        transcript.close()
        transcript = read_transcript(transcript.path) if Path(transcript.path).exists() else transcript
        assert transcript.messages == before
    elif kind == "walk" and said:
        transcript.walk(transcript.leaf)
    return transcript


def is_valid(messages: tuple[ChatMessage, ...]) -> bool:
    for at, message in enumerate(messages):
        after = messages[at + 1] if at + 1 < len(messages) else None
        results = [each.id for each in (after.parts if after else ()) if isinstance(each, ResultPart)]
        if [each.id for each in message.calls] != results:
            return False
    return not messages or messages[0].role == BY_USER


@pytest.mark.parametrize("seed", range(40))
def test_a_model_can_always_go_on(tmp_path: Path, seed: int) -> None:
    chance, said = random.Random(seed), list[str]()
    transcript = new_transcript(Places(str(tmp_path), str(tmp_path), {}))

    async def steps() -> Transcript:
        made = transcript
        for _ in range(chance.randrange(4, 25)):
            made = await step(made, chance, said)
            assert is_valid(conversation(made.context, as_read))
            assert is_valid(made.messages)
        return made

    made = asyncio.run(steps())
    found = standing(made.context)
    text = "\n".join(each.text for each in made.messages)
    assert all(each in text for each in said[found[1].left_out if found else 0 :])
    assert not said or said[-1] in text
