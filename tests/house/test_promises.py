"""The pages about promises and about complaints name tests that exist, for every promise that is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_NAMED = re.compile(r"^\* (tests/\S+?\.py)(?:::(\w+))?$", re.MULTILINE)


def parts(root: Path) -> list[str]:
    return (root / "docs" / "promises.md").read_text("utf-8").split("\n## ")[1:]


@pytest.mark.parametrize("page", ["promises.md", "concepts/complaints.md"])
def test_every_test_that_is_named_exists(root: Path, page: str) -> None:
    named = _NAMED.findall((root / "docs" / page).read_text("utf-8"))
    assert named
    files = {file: (root / file).read_text("utf-8") if (root / file).is_file() else "" for file, _ in named}
    assert [f"{file}::{name}" for file, name in named if f"def {name}(" not in files[file] and name] == []
    assert [file for file, text in files.items() if "def test_" not in text] == []


def test_every_complaint_and_every_fault_has_tests(root: Path) -> None:
    page = (root / "docs" / "concepts" / "complaints.md").read_text("utf-8")
    sections = page.split("\n### ")[1:]
    assert [each.split(".")[0] for each in sections[:15]] == [str(number) for number in range(1, 16)]
    assert [each.splitlines()[0] for each in sections if not _NAMED.search(each)] == []


def test_every_promise_has_tests_or_says_that_it_is_not_built(root: Path) -> None:
    promises = parts(root)
    assert [promise.split(".")[0] for promise in promises[:12]] == [str(number) for number in range(1, 13)]
    silent = [
        promise.splitlines()[0] for promise in promises if not _NAMED.search(promise) and "ot built" not in promise
    ]
    assert silent == []
