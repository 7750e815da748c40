"""A session from Python: the model is named, brought, or looked for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pisces import PiscesError, Session
from pisces.places import Places
from tests.models.recorder import Recorder

ANSWER = "".join(
    f"event: {kind}\ndata: {data}\n\n"
    for kind, data in (
        (
            "message_start",
            '{"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [], "model": "x", '
            '"usage": {"input_tokens": 3, "output_tokens": 1}}}',
        ),
        (
            "content_block_start",
            '{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}',
        ),
        (
            "content_block_delta",
            '{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ahoy"}}',
        ),
        ("content_block_stop", '{"type": "content_block_stop", "index": 0}'),
        (
            "message_delta",
            '{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}',
        ),
        ("message_stop", '{"type": "message_stop"}'),
    )
).encode()


def places_of(folder: Path, **env: str) -> Places:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return Places(str(folder), str(work), {"TMPDIR": str(folder), **env})


async def answered(places: Places, model: str) -> str:
    async with Session.open(places, lambda _request, _questions: False, model=model) as session:
        end = (await session.submit("hi")).end
        return end.text if end else ""


def test_a_model_is_named_and_answers(tmp_path: Path) -> None:
    with Recorder() as server:
        server.body = ANSWER
        env = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": server.url}
        assert asyncio.run(answered(places_of(tmp_path, **env), "anthropic/claude-sonnet-4-5")) == "ahoy"


def test_a_model_that_nobody_knows_is_an_error_before_anything_is_opened(tmp_path: Path) -> None:
    with pytest.raises(PiscesError):
        asyncio.run(answered(places_of(tmp_path), "nobody/x"))


def test_a_session_that_is_opened_where_no_folder_is_says_so(tmp_path: Path) -> None:
    places = Places(str(tmp_path), str(tmp_path / "missing"), {})
    with pytest.raises(PiscesError) as caught:
        asyncio.run(answered_without_model(places))
    assert caught.value.diagnostic.code == "host-folder"


async def answered_without_model(places: Places) -> None:
    async with Session.open(places, lambda _request, _questions: False, model=None):
        pass
