"""How far a tool has come, whoever says it."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.ui.partial_text import partial_text


@pytest.mark.parametrize(
    ("partial", "text"),
    [
        ("half", "half"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ([{"text": "a"}], "a"),
        ({"progress": 3, "total": 10, "message": "reading"}, "3 of 10 reading"),
        ({"progress": 0.5, "total": None, "message": ""}, "0.5"),
        ({"progress": None, "message": "waiting"}, "waiting"),
        ({"progress": "soon", "total": "x"}, "soon of x"),
        (None, ""),
        (7, ""),
    ],
)
def test_every_shape_is_read_and_none_raises(partial: Any, text: str) -> None:
    assert partial_text(partial) == text
