"""Of what a program that failed wrote to stderr, the lines are quoted that say why."""

from __future__ import annotations

import pytest

from pisces.mcp.last_words import last_words

GO = "Error: no context is set\nUsage:\n  boat [options]\n  --log  debug, error\n  --version\n  --yes\n  -z\n"
NODE = "boat.js:3\n    throw err;\nError: Could not locate the file. Tried:\n - a\n - b\n - c\n - d\n}\n\nNode.js v20\n"
PYTHON = 'Traceback (most recent call last):\n  File "a.py", line 1\n    x()\n    ^^^\npkg.BadThing.FishError: no sea\n'
LOGS = 'time=1 level=INFO msg="up"\ntime=2 level=ERROR msg="no sea"\ntime=3 level=INFO msg="bye"\n'


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (GO, "Error: no context is set"),
        (NODE, "Error: Could not locate the file. Tried:"),
        (PYTHON, "pkg.BadThing.FishError: no sea"),
        (LOGS, 'time=2 level=ERROR msg="no sea"'),
        ("one\ntwo\n", "one"),
        ("\n".join("1234567"), "3"),
    ],
)
def test_the_last_error_comes_first_and_else_the_end(text: str, first: str) -> None:
    found = last_words(text)
    assert found[0] == first
    assert len(found) <= 5


def test_nothing_is_quoted_of_nothing() -> None:
    assert last_words(" \n\n") == []
