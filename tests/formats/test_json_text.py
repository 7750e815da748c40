"""One line of JSON is what `json` writes, and what `json` refuses is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from pisces.formats.json_text import ascii_json, plain_json, quoted

VALUES: tuple[Any, ...] = (
    None,
    True,
    "",
    'a "quoted" line\n\t\\ \x00\x7f\u2028 é 🐟 \ud800',
    0,
    -1,
    10**40,
    1.0,
    1e100,
    float("inf"),
    [],
    {},
    (1, [2, (3,)]),
    {"a": {"b": [None, False]}, "é": 1, 2: "number", None: 3, True: 4, 1.5: 5},
)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_line_is_what_json_writes(value: object) -> None:
    assert ascii_json(value) == json.dumps(value)
    assert plain_json(value) == json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, b"bytes", {(1, 2): 3}, [float, 1]], ids=lambda value: type(value).__name__
)
def test_what_json_refuses_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        json.dumps(value)
    with pytest.raises(TypeError):
        ascii_json(value)


def test_a_value_inside_itself_is_refused_each_time() -> None:
    inner: list[object] = []
    inner.append(inner)
    for _ in range(2):
        with pytest.raises(ValueError, match="Circular"):
            plain_json(inner)
    inner.clear()
    assert plain_json([inner, inner]) == "[[], []]"


def test_a_quoted_text_is_the_text_as_json() -> None:
    assert quoted('say "é"\n') == json.dumps('say "é"\n', ensure_ascii=False)


def test_writing_json_loads_no_regular_expressions() -> None:
    code = "import sys; from pisces.formats.json_text import ascii_json; ascii_json({}); sys.exit('re' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
