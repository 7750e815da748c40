"""Members of a JSON text are set and removed; everything else stays as it was written."""

from __future__ import annotations

import json
import random

import pytest

from pisces.formats.jsonc import parse
from pisces.formats.jsonc_edit import object_in, with_member, without_member
from pisces.formats.malformed import Malformed

TEXTS = (
    "{}",
    "{\n}\n",
    '{"a": 1}',
    '{\n  "a": 1\n}\n',
    '{\n\t"a": 1, // why\n\t"b": [1, 2] /* not */\n}\n',
    '{\n    "a": {"b": "}"} // the last\n    // and a line\n}',
    '// first\n{\r\n  "a": 1\r\n}\r\n',
    "{ /* nothing */ }",
    '{"a": 1 /* x */, "c": "// no comment"}\n',
)
SERVER = {"command": "node", "args": ["a", "ü"], "env": {"K": '"'}}


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_added_is_there_and_removing_it_gives_the_text_back(text: str) -> None:
    changed = with_member(text, ("servers",), SERVER)
    assert parse(changed) == {**parse(text), "servers": SERVER}  # type: ignore[dict-item]
    blanks_in_nothing = {"{\n}\n": "{}\n", "{ /* nothing */ }": "{ /* nothing */}"}
    assert without_member(changed, ("servers",)) == blanks_in_nothing.get(text, text)


@pytest.mark.parametrize("text", TEXTS)
def test_two_members_can_be_removed_in_any_order(text: str) -> None:
    one = with_member(text, ("one",), SERVER)
    both = with_member(one, ("two",), {"url": "https://x"})
    assert without_member(both, ("two",)) == one
    assert without_member(both, ("one",)) == with_member(text, ("two",), {"url": "https://x"})


def test_a_member_is_replaced_where_it_stands() -> None:
    text = '{\n  // mine\n  "s": {\n    "a": 1, // note\n    "b": 2\n  },\n  "z": 3\n}\n'
    assert with_member(text, ("s", "a"), [1]) == text.replace('"a": 1', '"a": [\n      1\n    ]')
    assert without_member(text, ("s", "gone")) == text


def test_of_a_name_that_is_there_twice_the_one_that_counts_is_changed() -> None:
    text = '{"s": {"x": 1}, "s": {"y": 2}}'
    assert parse(with_member(text, ("s", "n"), 3)) == {"s": {"y": 2, "n": 3}}


def test_comments_survive_a_long_history() -> None:
    dice = random.Random(15)
    text = '{\n  // keep me\n  "s": {\n    "a": 1 // and me\n  } /* me too */\n}\n'
    begin = text
    names: list[str] = []
    for _ in range(200):
        name = f"n{dice.randrange(12)}"
        if name in names:
            text = without_member(text, ("s", name))
            names.remove(name)
        else:
            text = with_member(text, ("s", name), {"v": [dice.random(), None, name]})
            names.append(name)
        assert list(parse(text)["s"]) == ["a", *names]  # type: ignore[index]
    for name in names:
        text = without_member(text, ("s", name))
    assert text == begin


@pytest.mark.parametrize("text", ["[]", "3", "", "{", '{"a": 1,}', "\ufeff{}"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        object_in(text)


def test_deep_text_is_refused_and_long_text_is_read() -> None:
    with pytest.raises(Malformed):
        object_in('{"a":' * 5000 + "1" + "}" * 5000)
    many = json.dumps({str(number): number for number in range(20_000)})
    assert object_in(many) is not None
