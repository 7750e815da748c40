"""Every field of a found item is typed, and item_place leads to the very line that says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pisces.discovery.found import Found
from pisces.discovery.item_place import item_place


def assert_read(item: object, expected: Mapping[str, Any]) -> None:
    read = {name: getattr(item, name) for name in expected}
    wrong = {name: (read[name], value) for name, value in expected.items() if read[name] != value}
    assert not wrong, f"read and expected: {wrong}"
    assert {name: type(value) for name, value in read.items()} == {name: type(expected[name]) for name in expected}


def assert_placed(found: Found, text: str) -> None:
    """Each field of the item stands where item_place says, with its value beside it."""
    lines = text.splitlines()
    assert found.item.fields, "an item without fields proves nothing"
    for key, value in found.item.fields.items():
        line, column = item_place(found, key)
        rest = lines[line - 1][column - 1 :]
        assert rest.startswith((key, f'"{key}"')), f"{key} is not at {line}:{column}: {rest!r}"
        if isinstance(value, str | int | float):
            assert str(value) in rest or json.dumps(value) in rest, f"{line}:{column} is of another {key}: {rest!r}"
