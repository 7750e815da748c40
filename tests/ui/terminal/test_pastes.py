"""Pastes, the status line, and the history file."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from pisces.places import Places
from pisces.ui.terminal.cells import cells
from pisces.ui.terminal.history import WorkspaceHistory
from pisces.ui.terminal.pastes import Pastes
from pisces.ui.terminal.status import cost_word, status_line, tokens_word

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def places_in(folder: Path) -> Places:
    return Places(str(folder), str(folder))


def test_a_long_paste_is_a_mark_and_is_sent_whole(tmp_path: Path) -> None:
    pastes = Pastes(places_in(tmp_path))
    text = "\n".join(map(str, range(50)))
    mark = pastes.taken(text.replace("\n", "\r"))
    assert mark == "[pasted 50 lines #1]"
    assert pastes.taken(f"{text}\n") == "[pasted 50 lines #2]"
    assert pastes.sent(f"see {mark}!").text == f"see {text}!"
    assert pastes.unfolded(mark) == text
    assert pastes.mark_before(f"see {mark}") == len(mark)
    assert pastes.mark_before("[pasted 50 lines #9]") == 0


def test_text_that_looks_like_a_mark_stays_text(tmp_path: Path) -> None:
    pastes = Pastes(places_in(tmp_path))
    assert pastes.sent("[pasted 3 lines #7] [image #8]").text == "[pasted 3 lines #7] [image #8]"


@pytest.mark.parametrize("spelled", ["a picture.png", "'a picture.png'", "a\\ picture.png"])
def test_a_picture_that_is_dropped_goes_as_a_picture(tmp_path: Path, spelled: str) -> None:
    (tmp_path / "a picture.png").write_bytes(PNG)
    pastes = Pastes(places_in(tmp_path))
    taken = pastes.taken(spelled)
    if spelled.startswith("a picture"):
        assert taken == spelled  # two words, which is no path
        return
    assert taken == "[image #1] "
    sent = pastes.sent(f"what is {taken}?")
    assert [(image.mime, base64.b64decode(image.data)) for image in sent.images] == [("image/png", PNG)]


def test_a_path_to_no_picture_is_text(tmp_path: Path) -> None:
    assert Pastes(places_in(tmp_path)).taken("/nowhere/x.png") == "/nowhere/x.png"


@pytest.mark.parametrize("width", range(1, 60))
def test_the_status_line_fits_and_drops_the_least_important(width: int) -> None:
    line = status_line(("the-model", "mode plan", "", "not trusted", "12.3k tokens"), width)
    assert cells(line) <= width
    assert line.startswith("the-model"[:width])


def test_numbers_are_short_and_an_unknown_price_is_not_free() -> None:
    assert [tokens_word(each) for each in (7, 1234, 123_456)] == ["7", "1.2k", "123k"]
    assert [cost_word(each) for each in (None, 0.0, 0.0123, 3.456)] == ["", "$0.00", "$0.012", "$3.46"]


def test_history_survives_what_is_no_history(tmp_path: Path) -> None:
    history = WorkspaceHistory(places_in(tmp_path))
    for text in ("one", "two\nlines", "one"):
        history.store_string(text)
    (path,) = (tmp_path / ".pisces" / "agent" / "history").iterdir()
    path.write_bytes(b'cut off"\n\xff\xfe\n[1]\n' + path.read_bytes() + b'"unfinished')
    assert list(WorkspaceHistory(places_in(tmp_path)).load_history_strings()) == ["one", "two\nlines"]


def test_a_history_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / ".pisces").write_text("a file", encoding="utf-8")
    history = WorkspaceHistory(places_in(tmp_path))
    history.store_string("one")
    assert list(history.load_history_strings()) == []


def test_a_long_history_is_shortened(tmp_path: Path) -> None:
    history = WorkspaceHistory(places_in(tmp_path))
    for number in range(300):
        history.store_string(f"{number} " + "x" * 5000)
    (path,) = (tmp_path / ".pisces" / "agent" / "history").iterdir()
    assert path.stat().st_size < 1_200_000
    assert next(iter(history.load_history_strings())).startswith("299 ")
