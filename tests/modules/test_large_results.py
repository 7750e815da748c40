"""A result of a tool is no larger than a model can use, and the whole of it is in a file that the result names."""

from __future__ import annotations

import base64
import json
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.modules.tool_result import MOST_OTHER, MOST_PARTS, MOST_TEXT, capped, result_of
from pisces.shapes.events import ToolCall, ToolResult
from pisces.testing import scripted_session
from tests.modules.js_session import JsSession, played, written
from tests.modules.python_module import module

CALL = ToolCall("t", "1", {})


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary files go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    monkeypatch.setattr(tempfile, "tempdir", None)


def stored(result: ToolResult) -> Path:
    (path,) = re.findall(r"in (/\S+?)\]?$", result.text)
    return Path(path)


def size(result: ToolResult) -> int:
    return sum(len(part.get("text", "").encode("utf-8", "surrogatepass")) for part in result.content)


def test_fifty_megabytes_are_cut_and_all_of_it_is_in_a_file(tmp_path: Path, files: Path) -> None:
    body = "@pisces.tool()\ndef big(): return 'line of text\\n' * (4 << 20)"
    with scripted_session(module(tmp_path, body)) as session:
        result = session.tool("big")
    assert size(result) <= MOST_TEXT
    assert result.text.startswith("line of text\nline")
    assert f"[cut here: the result has {13 * (4 << 20)} bytes of text. All of it is in {files}" in result.text
    assert stored(result).read_text() == "line of text\n" * (4 << 20)
    assert stat.S_IMODE(stored(result).stat().st_mode) == 0o600


@pytest.mark.parametrize("letter", ["é", "€", "😀"])
@pytest.mark.parametrize("shift", range(4))
def test_no_character_is_cut_in_half(letter: str, shift: int) -> None:
    result = capped(result_of(CALL, "x" * shift + letter * MOST_TEXT))
    assert size(result) <= MOST_TEXT
    shown = result.text.partition("\n[cut here")[0]
    assert set(shown) <= {"x", letter}
    assert len(shown.encode()) > MOST_TEXT - 500


def test_what_is_small_enough_is_the_same_object() -> None:
    result = result_of(CALL, "x" * MOST_TEXT)
    assert capped(result) is result


def test_a_lone_surrogate_is_no_error() -> None:
    result = capped(result_of(CALL, "\udc80" * MOST_TEXT))
    assert stored(result).read_bytes().startswith(b"\\udc80")


def test_many_parts_and_several_texts_count_together() -> None:
    parts = [{"type": "text", "text": "x" * 1000} for _ in range(5 * MOST_PARTS)]
    result = capped(result_of(CALL, parts))
    assert len(result.content) <= MOST_PARTS
    assert size(result) <= MOST_TEXT
    assert stored(result).stat().st_size == 5_000_000


def test_a_cut_result_is_not_cut_again() -> None:
    once = capped(result_of(CALL, "x" * 1_000_000))
    assert capped(once) is once


def test_json_is_cut_like_a_text_and_its_details_are_not_sent_twice() -> None:
    result = capped(result_of(CALL, {"rows": ["x" * 100] * 200_000}))
    assert size(result) <= MOST_TEXT
    assert result.details["truncated"] is True
    assert json.loads(Path(result.details["stored"].removeprefix("in ")).read_text()) == {"rows": ["x" * 100] * 200_000}


def test_an_image_is_never_cut_but_one_that_is_too_large_is_in_a_file() -> None:
    small = {"type": "image", "data": base64.b64encode(b"\x89PNG\r\n" + b"x" * 1000).decode(), "mimeType": "image/png"}
    data = b"\x89PNG\r\n" + b"x" * MOST_OTHER
    large = {**small, "data": base64.b64encode(data).decode()}
    result = capped(result_of(CALL, [{"type": "text", "text": "two:"}, small, large]))
    assert [part["type"] for part in result.content] == ["text", "image", "text"]
    assert result.content[1] == small
    assert stored(result).read_bytes() == data
    assert stored(result).suffix == ".png"


def test_bytes_are_an_image_or_a_file() -> None:
    (image,) = result_of(CALL, b"\x89PNG\r\n\x1a\n").content
    assert (image["type"], image["mimeType"]) == ("image", "image/png")
    result = result_of(CALL, b"\0\1\2")
    assert result.text.startswith("[3 bytes that are no text: they are in ")
    assert stored(result).read_bytes() == b"\0\1\2"


def test_where_nothing_can_be_stored_the_result_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    result = capped(result_of(CALL, "x" * 1_000_000))
    assert "lost, because it could not be stored: No such file or directory" in result.text


def test_failures_and_handlers_of_results_are_capped_too(tmp_path: Path) -> None:
    body = """
    from pisces import ToolFailed
    @pisces.tool()
    def fails(): raise ToolFailed("x" * 1_000_000)
    @pisces.tool()
    def grows(): return "short"
    @pisces.on(ToolResult)
    def grow(event):
        if event.tool == "grows": return event.with_text("y" * 1_000_000)
    """
    with scripted_session(module(tmp_path, body)) as session:
        results = [session.tool("fails"), session.tool("grows")]
        assert not session.errors, "a tool that says it failed is no broken module"
    assert [result.is_error for result in results] == [True, False]
    assert all(size(result) <= MOST_TEXT for result in results)


def test_a_script_may_return_fifty_megabytes_and_lives_on(tmp_path: Path) -> None:
    text = """export default (pi) => {
      const parameters = { type: 'object' }
      const tool = (name, execute) => pi.registerTool({ name, description: '', parameters, execute })
      tool('big', async () => ({ content: [{ type: 'text', text: '"é\\n'.repeat(17 << 20) }], details: { a: 1 } }))
      tool('bare', async () => 'x'.repeat(70 << 20))
      tool('fine', async () => 'fine')
    }"""

    async def play(session: JsSession) -> list[Any]:
        results = [await session.tool(name) for name in ("big", "bare", "fine")]
        assert not session.failures
        return results

    big, bare, fine = played(written(tmp_path, {"m.ts": text}), play)
    assert fine.text == "fine"
    assert big.details == {"a": 1}
    for result, total in ((big, 4 * (17 << 20)), (bare, 70 << 20)):
        assert size(result) <= MOST_TEXT
        assert f"the result has {total} bytes of text" in result.text
        assert stored(result).stat().st_size == total


def test_results_of_python_types_are_written_as_json(tmp_path: Path) -> None:
    body = """
    import enum
    from dataclasses import dataclass
    from datetime import date
    class Colour(enum.Enum): RED = "red"
    @dataclass
    class Point:
        x: int
        c: object
    @pisces.tool()
    def it(): return [Point(1, Colour.RED), date(2026, 1, 31), {2, 1}]
    """
    with scripted_session(module(tmp_path, body)) as session:
        result = session.tool("it")
    assert json.loads(result.text) == [{"x": 1, "c": "red"}, "2026-01-31", [1, 2]]
