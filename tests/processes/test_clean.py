"""Output of programs is text, line ends, tabs and perhaps colours, however it was written and however it arrives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from pisces.processes.clean import Cleaner, cleaned

COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
PIECES = (
    "\x1b \x1b[ \x1b] \x1bP \x1b_ \x1bk \x1b[31m \x1b[0m \x1b[38;5;8m \x1b[8m \x1b[2J \x1b[?1049h \x1b]0;title\x07 "
    "\x1b]52;c;aGk=\x1b\\ \x1b]8;;http://x\x1b\\ \x1bPq#0\x1b\\ \x1b( \x1bc \x1b[1; 1;2 38;5 8 m H ; : "
    "\r \r\n \r\r\n \n \t \x07 \x08 \x18 \x1a \x00 \x7f text ü 世界 😀 "
    "\x9b \x9b31m \x9d0;t\x9c \x90 \x85 \u202e \u2066 \u200f \u061c"
).split(" ")
FRAGMENTS = st.sampled_from(
    [piece.encode() for piece in PIECES] + [b"\x9b", b"\xc2", b"\xff", b"\xe2\x80", b"\xf0\x9f", b"\xed\xa0\x80", b" "]
)
STREAMS = st.lists(FRAGMENTS | st.binary(max_size=4), max_size=24).map(b"".join)


def whole(data: bytes, *, colours: bool = False) -> bytes:
    cleaner = Cleaner(colours=colours)
    return cleaner.clean(data) + cleaner.end()


def in_chunks(data: bytes, sizes: list[int], *, colours: bool) -> bytes:
    cleaner = Cleaner(colours=colours)
    out = []
    for size in sizes:
        out.append(cleaner.clean(data[:size]))
        data = data[size:]
    return b"".join([*out, cleaner.clean(data), cleaner.end()])


def is_safe(text: str) -> bool:
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", text)


@settings(max_examples=300, deadline=None)
@given(STREAMS)
def test_nothing_but_text_line_ends_and_tabs_comes_out(data: bytes) -> None:
    assert is_safe(whole(data).decode("utf-8", "strict"))


@settings(max_examples=300, deadline=None)
@given(STREAMS)
def test_with_colours_nothing_but_colours_is_added(data: bytes) -> None:
    text = whole(data, colours=True).decode("utf-8", "strict")
    assert is_safe(COLOUR.sub("", text))
    without = re.sub("\n+", "\n", COLOUR.sub("", text))  # a colour between CR and LF makes two line ends of them
    assert without == re.sub("\n+", "\n", whole(data).decode())


@settings(max_examples=300, deadline=None)
@given(STREAMS, st.lists(st.integers(0, 7), max_size=30), st.booleans())
def test_how_it_was_cut_into_chunks_changes_nothing(data: bytes, sizes: list[int], colours: bool) -> None:
    assert in_chunks(data, sizes, colours=colours) == whole(data, colours=colours)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]) | st.sampled_from("\n\t")))
def test_text_passes_as_it_is(text: str) -> None:
    assert cleaned(text) == text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (b"\x1b]0;you are root\x07ok", "ok"),
        (b"\x1b]52;c;cm0gLXJmIH4=\x1b\\ok", "ok"),
        (b"\x1b]8;;https://evil\x1b\\good\x1b]8;;\x1b\\", "good"),
        (b"\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\ok", "ok"),
        (b"\x1b[2J\x1b[1;1Hok\x1b[6n\x1b[21t\x1b[c", "ok"),
        (b"\x1b[?1049h\x1b[?25lok", "ok"),
        (b"\xc2\x9b31mok\xc2\x9d0;t\xc2\x9c", "ok"),
        (b"\x9b31mok", "\ufffd31mok"),
        (b"a\xffb\xc3", "a\ufffdb\ufffd"),
        ("user\u202etxt.exe".encode(), "usertxt.exe"),
        (b"10%\r20%\r\x1b[K30%\r\n", "10%\n20%\n30%\n"),
        (b"rm -rf /\rls      \n", "rm -rf /\nls      \n"),
        (b"dos\r\nlines\r\n", "dos\nlines\n"),
        (b"\x1b]0;never ended\nnext line", "\nnext line"),
        (b"bell\x07 and back\x08", "bell and back"),
        (b"\x1b(0lqqk\x1b(B \x1bc", "lqqk "),
    ],
)
def test_tricks_of_terminals_are_removed(written: bytes, shown: str) -> None:
    assert whole(written).decode() == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (b"\x1b[1;31mred\x1b[0m", b"\x1b[1;31mred\x1b[0m"),
        (b"\x1b[31mleft on", b"\x1b[31mleft on\x1b[0m"),
        (b"\x1b[38;5;8mgrey\x1b[m", b"\x1b[38;5;8mgrey\x1b[m"),
        (b"\x1b[38;2;8;8;8;4mline\x1b[0m", b"\x1b[38;2;8;8;8;4mline\x1b[0m"),
        (b"\x1b[4:3mcurly\x1b[0m", b"\x1b[4:3mcurly\x1b[0m"),
        (b"\x1b[8mhidden", b"hidden"),
        (b"\x1b[31;8mhidden", b"hidden"),
        (b"\x1b[38;5;38;5;8mhidden", b"hidden"),
        (b"\x1b[38;2;1;2;3;8mhidden", b"hidden"),
        (b"\x1b[>4;1m\x1b[?1mtext", b"text"),
    ],
)
def test_colours_are_kept_unless_they_hide_text(written: bytes, shown: bytes) -> None:
    assert whole(written, colours=True) == shown


@pytest.mark.parametrize("start", [b"\x1b]0;", b"\x1bP", b"\x1b[", b"\x1b_", b"\r", b"\x1b "])
def test_a_sequence_without_end_is_not_kept_in_memory(start: bytes) -> None:
    cleaner = Cleaner()
    cleaner.clean(start)
    for _ in range(1000):
        cleaner.clean(b"1" * 1000)
    held = [value for value in vars(cleaner).values() if isinstance(value, bytes)]
    assert sum(map(len, held)) < 200
