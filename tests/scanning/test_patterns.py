"""No text makes the scan slow: every repetition in every pattern has an end, so the work is linear in the text."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pisces.scanning
from pisces.scanning.clues import Clue

PARSER: Any = importlib.import_module("re._parser")
REPEATS = {PARSER.MAX_REPEAT, PARSER.MIN_REPEAT, PARSER.POSSESSIVE_REPEAT}
MOST = 5_000


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    root = Path(pisces.scanning.__path__[0])
    for file in sorted(root.rglob("*.py")):
        name = ".".join(("pisces.scanning", *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        for variable, value in vars(importlib.import_module(name)).items():
            for number, each in enumerate(value if isinstance(value, tuple) else (value,)):
                pattern = each.pattern if isinstance(each, Clue) else each
                if isinstance(pattern, re.Pattern):
                    yield f"{name}.{variable}[{number}]", pattern


PATTERNS = dict(_patterns())


@pytest.mark.parametrize("name", PATTERNS)
def test_repetitions_end(name: str) -> None:
    pattern = PATTERNS[name]
    assert _most(PARSER.parse(pattern.pattern, pattern.flags)) <= MOST


def _most(parsed: Any) -> int:
    """How often the innermost part may be repeated at most."""
    most = 1
    for operation, argument in parsed:
        if operation in REPEATS:
            most = max(most, int(argument[1]) * _most(argument[2]))
        else:
            most = max([most, *(_most(below) for below in _below(argument))])
    return most


def _below(argument: Any) -> Iterator[Any]:
    if isinstance(argument, PARSER.SubPattern):
        yield argument
    elif isinstance(argument, list | tuple):
        for each in argument:
            yield from _below(each)
