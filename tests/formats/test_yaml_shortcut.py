"""The shortcut for usual headers: where it answers at all, it answers as the full reader does."""

from __future__ import annotations

from hypothesis import given, strategies as st

from pisces.formats.yaml import parse_in_full
from pisces.formats.yaml.quick import UNSURE, flat_mapping

_SPACED = [" ", "  ", "    ", "  b", "   deeper", "  text: more", "  # d", "  \u00e9\u2028x"]
_LISTED = ["  - a", "- b", "  - 'x: y'", "   - c", "-", "- -", "- 1", "- true", "-  x ", "- - x"]
_ENTERED = ["  k: v", "  l: 'it''s'", "  k: 2", "   m: n", "  o:", "  true: x", "k: v", "  - k: v", "  p: a: b"]
_OTHER = ["", "# c", "'q'", '"z" ', "...", "---", "\u00e9", "null: x"]
_VALUES = ["", "|", ">", "|-", ">-", "|+", ">2", "| ", ">- ", "|-#", " x", "x y", "1", "'a: b'", '"q"', "[a]", "x: y"]
_ODD_VALUES = [
    "~",
    "a #b",
    "-",
    "-x",
    "- x",
    "true",
    "x:",
    "2020-01-01",
    "'it''s'",
    "[a, b]",
    "[ a,b ] ",
    "[a b]",
    "[a, ]",
    "[true,x] #",
    "['a', \"b\"]",
    "['a, b', c]",
    "['it''s', \"x\\n\"]",
    "['a' 'b']",
    "['a': b]",
    "['a']]",
    "[]",
    "[ ]",
    "[]]",
]

_ENTRIES = st.tuples(
    st.sampled_from("abcd"), st.sampled_from([":", ": ", ":  "]), st.sampled_from(_VALUES + _ODD_VALUES)
).map("".join)
_LINES = st.lists(st.one_of(_ENTRIES, st.sampled_from(_SPACED + _LISTED + _ENTERED + _OTHER)), max_size=7)


@given(_LINES, st.sampled_from(["", "\n", "\n\n"]), st.sampled_from(["\n", "\r\n"]))
def test_an_answer_is_that_of_the_full_reader(lines: list[str], end: str, line_end: str) -> None:
    text = line_end.join(lines) + end
    quick = flat_mapping(text)
    if quick is not UNSURE:
        assert repr(quick) == repr(parse_in_full(text))


def test_lists_and_block_scalars_of_usual_headers_are_answered() -> None:
    folded = "description: >-\n  One line\n  and more.\n\n  End.\n"
    listed = "tools:\n  - glob\n  - 'a: b'\nmax: 3\n"
    assert flat_mapping(f"name: keeper\n{folded}{listed}end: |\n  x\n   y\n") == {
        "name": "keeper",
        "description": "One line and more.\nEnd.",
        "tools": ["glob", "a: b"],
        "max": 3,
        "end": "x\n y\n",
    }


def test_what_could_mean_something_else_is_left_to_the_full_reader() -> None:
    for text in (
        "",
        "a:",
        "a: |",
        "a:\n  b:\n    c: d",
        "a:\n- b\n - c",
        "a: |\n \n  x",
        "a: >\n  x\n   y",
        "a: [b c]",
        "a: b\n  c",
    ):
        assert flat_mapping(text) is UNSURE
