"""What an editor says is put in order, private files are left out, and the model reads Gemini CLI's words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pisces.ide.client.model_text import ModelText, delta_text, full_text
from pisces.ide.shared_context import normalised
from pisces.shapes.ide_context import Cursor, IdeContext, OpenFile

FULL = "Here is the user's editor context as a JSON object. This is for your information only.\n```json\n"
DELTA = (
    "Here is a summary of changes in the user's editor context, in JSON format."
    " This is for your information only.\n```json\n"
)


def _context(*files: OpenFile) -> IdeContext:
    return IdeContext(files)


def _json(text: str, sentence: str) -> Any:
    assert text.startswith(sentence)
    assert text.endswith("\n```")
    return json.loads(text[len(sentence) : -len("\n```")])


ACTIVE = OpenFile("/w/a.py", 2, True, Cursor(3, 1), "x = 1")
OTHER = OpenFile("/w/b.py", 1)


def test_files_are_sorted_newest_first() -> None:
    context = normalised(_context(*(OpenFile(f"/w/{number}", number) for number in (2, 5, 1))))
    assert [file.path for file in context.open_files] == ["/w/5", "/w/2", "/w/1"]


def test_only_the_newest_file_is_active_and_has_a_cursor() -> None:
    second = OpenFile("/w/b.py", 1, True, Cursor(1, 1), "y")
    assert normalised(_context(second, ACTIVE)).open_files == (ACTIVE, OTHER)


def test_if_the_newest_file_is_not_active_none_is() -> None:
    newest = OpenFile("/w/c.py", 3, False, Cursor(9, 9), "z")
    files = normalised(_context(ACTIVE, newest)).open_files
    assert files == (OpenFile("/w/c.py", 3), OpenFile("/w/a.py", 2))


def test_ten_files_are_enough() -> None:
    files = tuple(OpenFile(f"/w/{number}", number) for number in range(30))
    kept = normalised(IdeContext(files)).open_files
    assert [file.timestamp for file in kept] == list(range(29, 19, -1))


def test_what_is_too_long_to_be_a_path_is_not_told() -> None:
    context = normalised(_context(OpenFile("/" + "x" * 4096, 3), OpenFile("/" + "x" * 4095, 2), OTHER))
    assert [len(file.path) for file in context.open_files] == [4096, len(OTHER.path)]


@pytest.mark.parametrize("text", ["x" * 16_384, "🐟" * 8_192])
def test_a_selection_of_16_ki_stays_whole(text: str) -> None:
    assert normalised(_context(OpenFile("/w/a", 1, True, None, text))).open_files[0].selected_text == text


def test_a_longer_selection_is_cut_and_says_so() -> None:
    file = normalised(_context(OpenFile("/w/a", 1, True, None, "x" * 20_000))).open_files[0]
    assert file.selected_text == "x" * 16_384 + "... [TRUNCATED]"


def test_a_cut_through_a_character_can_still_be_sent() -> None:
    context = normalised(_context(OpenFile("/w/a", 1, True, None, "a" + "🐟" * 8_192)))
    text = full_text(context)
    assert text.encode()
    assert "\\ud83d... [TRUNCATED]" in text


@pytest.mark.parametrize("name", [".env", ".env.local", ".ENV", "server.pem", "tls.KEY", "id_rsa", ".netrc", ".npmrc"])
def test_private_files_are_neither_named_nor_quoted(name: str) -> None:
    secret = OpenFile(f"/w/{name}", 9, True, Cursor(1, 1), "TOKEN=1")
    text = full_text(normalised(_context(secret, OTHER)))
    assert _json(text, FULL) == {"otherOpenFiles": ["/w/b.py"]}


@pytest.mark.parametrize("name", ["environment.py", "key.py", "pem.txt", "env"])
def test_files_that_only_sound_private_are_told(name: str) -> None:
    assert normalised(_context(OpenFile(f"/w/{name}", 1))).open_files


def test_the_user_can_hide_more() -> None:
    assert not normalised(_context(OpenFile("/w/diary.txt", 1)), ("diary*",)).open_files


def test_the_whole_context_names_the_active_file_and_the_others() -> None:
    told = _json(full_text(_context(ACTIVE, OTHER)), FULL)
    active = {"path": "/w/a.py", "cursor": {"line": 3, "character": 1}, "selectedText": "x = 1"}
    assert told == {"activeFile": active, "otherOpenFiles": ["/w/b.py"]}


def test_nothing_open_is_nothing_to_say() -> None:
    assert full_text(IdeContext()) == ""
    assert delta_text(_context(ACTIVE), _context(ACTIVE)) == ""


@pytest.mark.parametrize(
    ("now", "changes"),
    [
        ([ACTIVE], {"filesClosed": ["/w/b.py"]}),
        ([ACTIVE, OTHER, OpenFile("/w/c.py", 0)], {"filesOpened": ["/w/c.py"]}),
        (
            [ACTIVE.replace(cursor=Cursor(4, 1)), OTHER],
            {"cursorMoved": {"path": "/w/a.py", "cursor": {"line": 4, "character": 1}}},
        ),
        ([ACTIVE.replace(selected_text=""), OTHER], {"selectionChanged": {"path": "/w/a.py", "selectedText": ""}}),
        (
            [OTHER.replace(is_active=True), ACTIVE.replace(is_active=False)],
            {"activeFileChanged": {"path": "/w/b.py"}},
        ),
        (
            [OpenFile("/w/a.py", 2), OTHER],
            {"activeFileChanged": {"path": None, "previousPath": "/w/a.py"}},
        ),
    ],
)
def test_after_that_only_what_changed_is_said(now: list[OpenFile], changes: dict[str, Any]) -> None:
    assert _json(delta_text(_context(ACTIVE, OTHER), _context(*now)), DELTA) == {"changes": changes}


def test_all_is_said_again_after_a_new_start_and_after_the_editor_was_gone() -> None:
    model = ModelText()
    assert model.next(_context(ACTIVE)).startswith(FULL)
    assert model.next(_context(OTHER)).startswith(DELTA)
    model.restart()
    assert model.next(_context(OTHER)).startswith(FULL)
    assert model.next(None) == ""
    assert model.next(_context(OTHER)).startswith(FULL)
