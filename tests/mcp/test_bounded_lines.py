"""Lines of a server: however they are cut, in bounded memory, and with the number of what they answer."""

from __future__ import annotations

import json

import pytest

from pisces.mcp.bounded_lines import BoundedLines, Dropped, Endless, answered_id

LIMIT = 100
LONG = b'{"jsonrpc": "2.0", "id": 7, "result": {"x": "' + b"y" * 300 + b'"}}'
LONG_AT_ITS_END = b'{"result":{"id":1,"x":"' + b"y" * 300 + b'"},"jsonrpc":"2.0","id":8}'
STREAM = b"first\n" + LONG + b"\nsecond\n\n" + LONG_AT_ITS_END + b"\nthird\n"


@pytest.mark.parametrize("size", [1, 2, 7, 64, 99, 101, 250, len(STREAM)])
def test_however_they_are_cut_the_same_lines_come(size: int) -> None:
    lines, came = BoundedLines(LIMIT), []
    for start in range(0, len(STREAM), size):
        came += lines.ended(STREAM[start : start + size])
    shown = [each.id if isinstance(each, Dropped) else each for each in came]
    assert shown == [b"first", 7, b"second", b"", 8, b"third"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ({"jsonrpc": "2.0", "id": 5, "result": {}}, 5),
        ({"id": 5, "jsonrpc": "2.0", "result": {}}, 5),
        ({"jsonrpc": "2.0", "result": {}, "id": 5}, 5),
        ({"result": {}, "jsonrpc": "2.0", "id": "five"}, "five"),
        ({"error": {"code": 1, "message": ""}, "id": 5, "jsonrpc": "2.0"}, 5),
        ({"jsonrpc": "2.0", "id": 5, "method": "ping"}, None),  # a request of the server has numbers of its own
        ({"method": "x", "jsonrpc": "2.0", "id": 5}, None),
        ({"jsonrpc": "2.0", "method": "x", "params": {"id": 5}}, None),
        ({"result": {"id": 5}}, None),
    ],
)
def test_whose_answer_a_line_is(line: dict[str, object], number: int | str | None) -> None:
    text = json.dumps(line).encode()
    assert answered_id(text, text) == number


def test_the_number_is_not_taken_from_the_servers_data() -> None:
    text = b'{"result":{"content":[{"text":"\\"id\\":3}"},{"id":4}]},"jsonrpc":"2.0"}'
    assert answered_id(text, text) is None


def test_a_line_without_an_end_is_given_up() -> None:
    lines = BoundedLines(LIMIT)
    assert lines.ended(b"z" * 15 * LIMIT) == []
    with pytest.raises(Endless):
        lines.ended(b"z" * 2 * LIMIT)
