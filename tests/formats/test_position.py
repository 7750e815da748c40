"""The place of a key or of an element is where the author wrote it, in JSON, in JSON with comments and in TOML."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings, strategies as st

from pisces.formats import toml
from pisces.formats.position import json_place, toml_place

Path = tuple[str | int, ...]

SETTINGS = """{
  // "mcpServers": {"x": {"command": "no"}},
  "mcpServers": {
    "x": { "args": ["-y", /* , */ "pkg"], "env": {"A": "1"} },
    "y": { "command": "{\\"x\\": 1}" }
  },
  "x": [[1, 2], {"k": 3}]
}"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("mcpServers",), (3, 3)),
        (("mcpServers", "x"), (4, 5)),
        (("mcpServers", "x", "args", 0), (4, 21)),
        (("mcpServers", "x", "args", 1), (4, 35)),
        (("mcpServers", "x", "env", "A"), (4, 51)),
        (("mcpServers", "y", "command"), (5, 12)),
        (("x", 0, 1), (7, 13)),
        (("x", 1, "k"), (7, 18)),
        (("mcpServers", "x", "cwd"), (4, 5)),
        (("mcpServers", "x", "args", 7), (4, 12)),
        (("nothing", "at", "all"), (1, 1)),
    ],
)
def test_a_path_into_json_with_comments_has_its_place(path: Path, place: tuple[int, int]) -> None:
    assert json_place(SETTINGS, path) == place


def test_of_two_equal_json_keys_the_last_is_the_place() -> None:
    text = '{"a": {"b": 1},\n "a": {"c": 2}}'
    assert json_place(text, ("a",)) == (2, 2)
    assert json_place(text, ("a", "c")) == (2, 8)
    assert json_place(text, ("a", "b")) == (2, 2)


def test_an_escaped_json_key_is_found_by_its_value() -> None:
    assert json_place('{"\\u0061\\"": 1}', ('a"',)) == (1, 2)


POLICY = '''# rules
top.level = 1
text = """
[rule]
key = "no"
"""
[a."b c"]
key = { x = [{}, { y = 2 }], z.w = "}" } # key = 3
list = [
  ["one"], # ,
  ["two"],
]
[[rule]]
name = "first"
[[rule]]
name = "second"
  [rule.more]
  deep = 1979-05-27 07:32:00
[[rule.part]]
[[rule.part]]
id = 7
[a]
late = true
'''


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("top", "level"), (2, 5)),
        (("text",), (3, 1)),
        (("a",), (7, 2)),
        (("a", "b c"), (7, 4)),
        (("a", "b c", "key", "x"), (8, 9)),
        (("a", "b c", "key", "x", 1, "y"), (8, 20)),
        (("a", "b c", "key", "z", "w"), (8, 32)),
        (("a", "b c", "list", 1), (11, 3)),
        (("a", "b c", "list", 1, 0), (11, 4)),
        (("rule", 0), (13, 3)),
        (("rule", 0, "name"), (14, 1)),
        (("rule", 1, "name"), (16, 1)),
        (("rule", 1, "more", "deep"), (18, 3)),
        (("rule", 1, "part", 1, "id"), (21, 1)),
        (("rule", 1, "part", 0), (19, 8)),
        (("rule", 2), (13, 3)),
        (("a", "late"), (23, 1)),
        (("a", "b c", "none"), (7, 4)),
        (("key",), (1, 1)),
    ],
)
def test_a_path_into_toml_has_its_place(path: Path, place: tuple[int, int]) -> None:
    assert toml.parse(POLICY)
    assert toml_place(POLICY, path) == place


def test_what_comes_before_a_fault_in_toml_still_has_a_place() -> None:
    assert toml_place("a = 1\nb = [1, 2\nc = 3", ("b", 1)) == (2, 9)


def test_a_byte_order_mark_and_trailing_commas_do_not_hide_json() -> None:
    assert json_place('\ufeff{"a": [1, ], // one\n "b": {"c": [2,],},}', ("b", "c", 0)) == (2, 14)


def test_toml_that_only_the_current_version_allows_has_places_too() -> None:
    text = 'a = [1, "x", 1979-05-27]\ndays = [1979-05-27, 07:32:00]\n[b]\nc = 1'
    assert toml_place(text, ("a", 2)) == (1, 14)
    assert toml_place(text, ("b", "c")) == (4, 1)


def paths_of(value: object, path: Path = ()) -> list[Path]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, child in value.items():
            found += paths_of(child, (*path, key))
    if isinstance(value, list):
        for index, child in enumerate(value):
            found += paths_of(child, (*path, index))
    return found


def rest_at(text: str, place: tuple[int, int]) -> str:
    lines = text.split("\n")
    return "\n".join([lines[place[0] - 1][place[1] - 1 :], *lines[place[0] :]])


def reached(value: object, path: Path) -> object:
    for part in path:
        value = value[part]  # type: ignore[index]  # the path came from walking this very value
    return value


names = st.sampled_from(["a", "b", "a b", "", "é", 'q"', "x.y", "n\n", "\\"])
values = st.recursive(
    st.integers(-9, 9)
    | st.booleans()
    | st.sampled_from(["", 'a = "b"', "[a]", '{"a": 1}', "x\ny", "// no", "# no", '"""']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(names, values, max_size=4), st.sampled_from([None, 0, 2]))
def test_every_json_path_has_a_place_that_starts_with_its_key_or_value(
    value: dict[str, object], indent: int | None
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    for path in paths_of(value):
        shown = path[-1] if isinstance(path[-1], str) else reached(value, path)
        start = (
            json.dumps(shown, ensure_ascii=False)
            if isinstance(shown, str | int)
            else "["
            if isinstance(shown, list)
            else "{"
        )
        line, column = json_place(text, path)
        assert rest_at(text, (line, column)).startswith(start), path
        assert json_place(f"// a comment\n{text}", path) == (line + 1, column)


def toml_text(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_key(key)} = {toml_text(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[\n" + "".join(f"{toml_text(child)}, # ]\n" for child in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def toml_key(key: str) -> str:
    return key if key.isascii() and key.isalpha() else json.dumps(key, ensure_ascii=False)


def toml_document(tables: dict[str, dict[str, object]], rows: list[dict[str, object]]) -> str:
    lines = []
    for name, table in tables.items():
        lines += [f"[t.{toml_key(name)}]", *(f"{toml_key(key)} = {toml_text(child)}" for key, child in table.items())]
    for row in rows:
        lines += [
            "[[row]]",
            *(f"{toml_key(key)} = {toml_text(child)}" for key, child in row.items()),
            "[row.last]",
            "l.m = 1",
        ]
    return "\n".join(lines)


same_kind = st.recursive(
    st.integers(-9, 9) | st.sampled_from(["", "a = 1", "[a]", "x\ny", "# no", "'", '"""']),
    lambda inner: st.lists(st.lists(inner, max_size=1), max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
tables = st.dictionaries(names, same_kind, max_size=3)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(names, tables, max_size=3), st.lists(tables, max_size=3))
def test_every_toml_path_has_a_place_that_starts_with_its_key_or_value(
    named: dict[str, dict[str, object]], rows: list[dict[str, object]]
) -> None:
    text = toml_document(named, rows)
    for path in paths_of(toml.parse(text)):
        rest = rest_at(text, toml_place(text, path))
        if isinstance(path[-1], str):
            assert rest.startswith(toml_key(path[-1])), path
        elif path[:-1] == ("row",):
            assert rest.startswith("row]]"), path
        else:
            shown = reached(toml.parse(text), path)
            assert rest.startswith(
                "[" if isinstance(shown, list) else "{" if isinstance(shown, dict) else toml_text(shown)
            ), path


@given(
    st.text(alphabet=st.sampled_from("{}[],:=\"'\\/*#.1 \nab")), st.lists(st.sampled_from(["a", "b", 0, 1]), max_size=4)
)
def test_arbitrary_text_always_has_a_place(text: str, path: list[str | int]) -> None:
    for place in (json_place(text, tuple(path)), toml_place(text, tuple(path))):
        assert place >= (1, 1)


def test_deep_and_long_texts_take_linear_time() -> None:
    began = time.process_time()
    depth = 20_000
    json_place("[" * depth + "]" * depth, (0,) * depth)
    json_place('{"a":' * depth, ("a",) * depth)
    toml_place("a = " + "[" * depth + "]" * depth, ("a", *(0,) * depth))
    toml_place("a = " + "{a = " * depth, ("a",) * depth)
    toml_place("[[a]]\n" * depth, ("a", depth - 1))
    assert time.process_time() - began < 5
