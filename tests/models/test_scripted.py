"""A model that answers from a file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.models.choosing import chosen_model
from pisces.models.wire import ModelAnswer, ModelAsk, ModelFailed
from pisces.places import Places


def whole(places: Places, name: str, times: int) -> list[ModelAnswer]:
    async def answers() -> list[ModelAnswer]:
        model = chosen_model(f"scripted/{name}", places)
        assert model is not None
        made = []
        for _ in range(times):
            async with model.answering(ModelAsk("", ())) as stream:
                made.append(stream.whole())
        return made

    return asyncio.run(answers())


def test_a_script_has_texts_calls_and_thinking(tmp_path: Path) -> None:
    turns = ["hello", [{"thinking": "hm"}, {"call": "read", "input": {"path": "a"}}, "there"]]
    (tmp_path / "s.json").write_text(json.dumps({"turns": turns}), encoding="utf-8")
    first, second, after = whole(Places(str(tmp_path), str(tmp_path)), "s.json", 3)
    assert first.message.text == "hello"
    assert [(call.name, dict(call.input)) for call in second.message.calls] == [("read", {"path": "a"})]
    assert second.message.text == "there"
    assert after.message.text == "done"


def test_a_script_may_fail(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"turns": [{"error": "no", "status": 429, "passing": true}]}', encoding="utf-8")
    with pytest.raises(ModelFailed) as caught:
        whole(Places(str(tmp_path), str(tmp_path)), "s.json", 1)
    assert (caught.value.status, caught.value.is_passing) == (429, True)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"turns": 3}', '{"turns": [{"call": "x"}]}', '{"turns": [[3]]}', "\x00"]
)
def test_what_is_no_script_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_text(text, encoding="utf-8")
    with pytest.raises(PiscesError) as caught:
        chosen_model("scripted/s.json", Places(str(tmp_path), str(tmp_path)))
    assert caught.value.diagnostic.code == "model-script"
    with pytest.raises(PiscesError):
        chosen_model("scripted/missing.json", Places(str(tmp_path), str(tmp_path)))
