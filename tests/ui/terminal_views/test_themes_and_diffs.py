"""Colours by what they mean, from files of several programs; differences of which no line is lost."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pisces.shapes.theme import Theme
from pisces.ui.terminal.diff_lines import diff_counts, diff_rows
from pisces.ui.terminal.drawn import exact_rows, prose_rows
from pisces.ui.terminal.themes import PLAIN, Palette, default_palette, palette_named, palette_of
from pisces.ui.terminal.typed_line import TypedLine
from pisces.ui.width import width_of


def theme(**fields: Any) -> Palette:
    return palette_of(Theme("t", "", fields))


def test_a_theme_with_groups_and_one_with_names_give_the_same_few_meanings() -> None:
    grouped = theme(type="custom", text={"primary": "#fff", "accent": "#0a0B0c"}, status={"error": "red"})
    assert (grouped.text, grouped.accent, grouped.bad) == ("38;2;255;255;255", "38;2;10;11;12", "31")
    named = theme(
        vars={"main": "#010203", "again": "main"}, colors={"accent": "again", "error": 9, "dim": "brightblack"}
    )
    assert (named.accent, named.bad, named.dim) == ("38;2;1;2;3", "38;5;9", "90")


@pytest.mark.parametrize(
    "value",
    ["\x1b[2J", "31m\x1b[2J", "#12", "url(x)", None, True, -1, 256, 1.5, [], {}, "#" + "f" * 999, "no such colour"],
)
def test_a_colour_that_is_none_is_left_out(value: Any) -> None:
    palette = theme(text={"accent": value}, colors={"accent": value}, vars={"a": "b", "b": "a"})
    assert palette.accent == palette_named("dark").accent  # type: ignore[union-attr]
    assert all(set(style) <= set("0123456789;") for style in palette.as_tuple()[1:-1])


def test_no_color_and_dumb_terminals_have_none() -> None:
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert palette_named("dark", (), env) is PLAIN
        assert default_palette(env) is PLAIN
    assert PLAIN.paint("x", "bad") == "x"
    assert default_palette({"COLORFGBG": "0;15"}).is_light
    assert not default_palette({"COLORFGBG": "15;0"}).is_light
    assert palette_named("nobody") is None


@pytest.mark.parametrize("seed", range(50))
def test_every_changed_line_is_in_a_difference(seed: int) -> None:
    made = random.Random(seed)
    old = [f"line {made.randrange(6)}" for _ in range(made.randrange(30))]
    new = [made.choice([each, f"new {made.randrange(4)}"]) for each in old if made.random() > 0.2]
    rows = list(diff_rows("".join(f"{each}\n" for each in old), "".join(f"{each}\n" for each in new), 80, PLAIN))
    added = [row.split(" + ", 1)[1] for row in rows if " + " in row[:8]]
    removed = [row.split(" - ", 1)[1] for row in rows if " - " in row[:8]]
    left = sorted(old)
    for each in removed:
        left.remove(each)
    assert sorted([*left, *added]) == sorted(new)
    assert diff_counts("\n".join(old), "\n".join(new)) == (len(added), len(removed))


def test_a_large_change_is_shown_whole_and_soon() -> None:
    old, new = ("".join(f"{sign}{n}\n" for n in range(20_000)) for sign in "ab")
    rows = list(diff_rows(old, new, 60, PLAIN))
    assert len(rows) == 40_000
    far = list(diff_rows("x\n" * 50_000 + "end\n", "x\n" * 50_000 + "END\n", 60, PLAIN))
    assert len(far) < 10


def test_a_missing_line_end_is_said() -> None:
    assert any("no line end" in row for row in diff_rows("a\n", "a", 80, PLAIN))
    assert not any("no line end" in row for row in diff_rows("a", "a\nb\n", 80, PLAIN))


@pytest.mark.parametrize("width", [1, 2, 5, 20, 80])
@pytest.mark.parametrize("text", ["", "a  b", "文字文字文字", "x" * 500, "a\tb\x1b[2J\u202e", "e\u0301" * 50, "\n\n"])
def test_rows_fit_and_lose_nothing(text: str, width: int) -> None:
    rows = list(exact_rows(text, width))
    assert all(width_of(row) <= max(width, 2) for row in rows)
    plain = text.replace("\t", "\\t").replace("\x1b", "\\x1b").replace("\u202e", "\\u202e").replace("\n", "")
    assert "".join(rows) == plain
    assert all(width_of(row) <= max(width, 2) for row in prose_rows(text, width))


def test_a_line_is_edited_as_in_a_shell() -> None:
    line = TypedLine("one two")
    for key in ("c-w", "home"):
        line.key(key, "")
    line.key("", "x")
    line.key("end", "")
    line.key("bracketed-paste", "a\r\nb")
    assert line.text == "xone a\nb"
    line.key("c-u", "")
    line.key("backspace", "")
    assert line.text == "xone a"
    for width in (1, 3, 80):
        assert all(width_of(row) <= width for row in line.rows(width, 2, PLAIN))
