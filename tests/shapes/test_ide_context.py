"""The editor's context on the wire: what is written is read again, and what does not fit is refused with its field."""

from __future__ import annotations

import json

import pytest

from pisces.formats.malformed import Malformed
from pisces.shapes.ide_context import Cursor, IdeContext, OpenFile, as_json, context_from_json


def test_what_is_written_is_read_again_and_nothing_is_null() -> None:
    file = OpenFile("/a.py", 5, True, Cursor(2, 3), "x")
    context = IdeContext((file, OpenFile("/b.py", 4)), False)
    text = json.dumps(as_json(context))
    assert "null" not in text
    assert context_from_json(json.loads(text)) == context


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN"])
def test_a_cursor_that_is_no_place_is_refused(number: str) -> None:
    file = f'{{"path": "/a", "timestamp": 1, "cursor": {{"line": {number}, "character": 1}}}}'
    with pytest.raises(Malformed, match="cursor"):
        context_from_json(json.loads(f'{{"workspaceState": {{"openFiles": [{file}]}}}}'))
