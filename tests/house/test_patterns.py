"""No pattern takes a repeated group possessively: `(?:...)*+` matches too much on Python 3.11.0 to 3.11.4.

A possessive group whose body can fail half-way keeps what the failed round took there. `(?>(?:...)*)` says the same and
is right everywhere. One character or one set, as in `[^"]*+`, is right everywhere too.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]  # the only parser of Python's patterns

_ONE_CHARACTER = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY, _constants.CATEGORY}


def repeated_groups(pattern: str) -> Iterator[object]:
    """Every possessive repeat in this pattern of more than one character."""
    if not re.search(r"[*+?}]\+", pattern):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            waiting: list[object] = [_parser.parse(pattern)]
        except re.error:
            return
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple) and len(node) == 2 and node[0] is _constants.POSSESSIVE_REPEAT:
            body = node[1][2]
            if len(body) != 1 or body[0][0] not in _ONE_CHARACTER:
                yield node
        if isinstance(node, tuple | list | _parser.SubPattern):
            waiting.extend(node)


def test_no_pattern_repeats_a_group_possessively(modules: dict[Path, ast.Module]) -> None:
    texts = [
        (path, node.lineno, node.value)
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [(path.as_posix(), line) for path, line, text in texts if any(repeated_groups(text))] == []


def test_what_is_looked_for_is_seen() -> None:
    assert any(repeated_groups(r"a(?:[ \t]++(?!#)b)*+"))
    assert any(repeated_groups(r"x|(y(?:ab?c)++)"))
    assert not any(repeated_groups(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?'))
