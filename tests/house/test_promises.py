"""The page about promises names tests that exist, for every promise that is kept."""

from __future__ import annotations

import re
from pathlib import Path

_NAMED = re.compile(r"^\* (tests/\S+?\.py)(?:::(\w+))?$", re.MULTILINE)


def parts(root: Path) -> list[str]:
    return (root / "docs" / "promises.md").read_text("utf-8").split("\n## ")[1:]


def test_every_test_that_is_named_exists(root: Path) -> None:
    named = [found for part in parts(root) for found in _NAMED.findall(part)]
    files = {file: (root / file).read_text("utf-8") if (root / file).is_file() else "" for file, _ in named}
    assert [f"{file}::{name}" for file, name in named if f"def {name}(" not in files[file] and name] == []
    assert [file for file, text in files.items() if "def test_" not in text] == []


def test_every_promise_has_tests_or_says_that_it_is_not_built(root: Path) -> None:
    promises = parts(root)
    assert [promise.split(".")[0] for promise in promises[:12]] == [str(number) for number in range(1, 13)]
    silent = [
        promise.splitlines()[0] for promise in promises if not _NAMED.search(promise) and "ot built" not in promise
    ]
    assert silent == []
