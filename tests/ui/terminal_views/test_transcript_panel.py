"""The page with the whole conversation: from its end, as far as somebody scrolls."""

from __future__ import annotations

from pathlib import Path

from pisces.agent.transcript import Transcript, memory_transcript, new_transcript
from pisces.places import Places
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart
from pisces.ui.terminal.themes import PLAIN
from pisces.ui.terminal.transcript_panel import TranscriptPanel
from pisces.ui.width import width_of


def conversation(folder: Path, messages: int, output: str = "") -> Transcript:
    made = new_transcript(Places(str(folder), str(folder), {}))
    for at in range(messages):
        made.append_message(ChatMessage(BY_USER if at % 2 == 0 else BY_MODEL, (TextPart(f"message {at}"),)), {})
    if output:
        made.append_message(ChatMessage(BY_MODEL, (CallPart("1", "shell", {"command": "make"}),)), {})
        made.append_message(ChatMessage(BY_USER, (ResultPart("1", "shell", (TextPart(output),)),)), {})
    return made


def press(panel: TranscriptPanel, *keys: str) -> list[str]:
    for key in keys:
        is_named = key.startswith("<")
        panel.key(key[1:-1] if is_named else "", "" if is_named else key)
        panel.lines(40, 10)
    return list(panel.lines(40, 10))


def test_it_begins_at_the_end_with_the_full_output_of_tools(tmp_path: Path) -> None:
    panel = TranscriptPanel(conversation(tmp_path, 4, "\n".join(f"line {at}" for at in range(100))), PLAIN)
    assert "  line 99" in press(panel)
    shown = [row for _ in range(40) for row in press(panel, "<pageup>")]
    assert "  line 0" in shown
    assert "> message 0" in press(panel, "<home>")
    assert "  line 99" in press(panel, "<end>")
    press(panel, "q")
    assert panel.is_done


def test_of_a_long_session_only_the_end_is_read(tmp_path: Path) -> None:
    transcript = conversation(tmp_path, 2000)
    asked: list[str] = []
    whole = transcript.whole
    transcript.whole = lambda entry: asked.append(entry.id) or whole(entry)  # type: ignore[method-assign,func-returns-value]
    assert "message 1999" in press(TranscriptPanel(transcript, PLAIN))
    assert len(asked) < 20


def test_a_search_goes_back_and_forth_and_says_where_there_is_no_more(tmp_path: Path) -> None:
    panel = TranscriptPanel(conversation(tmp_path, 300), PLAIN)
    assert press(panel, "/", *"MESSAGE 15", "<enter>")[-2] == "message 159"
    assert press(panel, "n")[-2] == "> message 158"
    assert press(panel, "N")[-2] == "message 159"
    assert press(panel, "/", *"nowhere", "<enter>")[-1].startswith("no more `nowhere`")
    press(panel, "/", "x", "<escape>")
    assert not panel.is_done, "escape leaves the search, not the page"
    press(panel, "<escape>")
    assert panel.is_done


def test_hostile_text_fits_any_size_and_has_no_codes(tmp_path: Path) -> None:
    text = "a\x1b[2Jb\x9b1mc\u202ed\tx" + "界" * 500 + "\n" * 50
    transcript = conversation(tmp_path, 1, text)
    for width, height in ((1, 1), (2, 3), (20, 5), (80, 24)):
        lines = TranscriptPanel(transcript, PLAIN).lines(width, height)
        assert len(lines) <= height
        assert all("\x1b" not in line and "\u202e" not in line for line in lines)
        assert all(width_of(line) <= max(width, 2) for line in lines)


def test_a_session_without_a_word_is_an_empty_page(tmp_path: Path) -> None:
    panel = TranscriptPanel(memory_transcript(Places(str(tmp_path), str(tmp_path), {})), PLAIN)
    assert len(press(panel, "<up>", "/", "x", "<enter>", "n", "N", "<home>")) == 1
