"""Recorded cases of hooks, permissions and policies: Host does what the real programs did, or is stricter by a rule.

The page docs/conformance.md lists every case in which it is stricter, with the rule; all others are equal.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conformance.corpus import corpus_folder
from tests.hook_cases.page import listed_cases, told_otherwise, told_reason
from tests.hook_cases.run_case import run_case

FILE = corpus_folder() / "hook-cases.jsonl"
LINES = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
LISTED = listed_cases()
TOLD = told_otherwise()

pytestmark = pytest.mark.skipif(not ROWS, reason="needs hook-cases.jsonl in PISCES_CORPUS")


def _expected(row: dict[str, Any]) -> str:
    rule = LISTED.get((row["dialect"], row["id"]))
    return f"stricter by rule {rule}" if rule else "equal"


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['dialect']}-{row['id']}" for row in ROWS])
def test_a_recorded_case_ends_as_in_the_real_program_or_stricter(row: dict[str, Any]) -> None:
    result = run_case(row)
    assert (result["compared"], result.get("error")) == (_expected(row), None)
    if not result.get("is_told_the_same", True):
        assert TOLD.get((row["dialect"], row["id"])) == told_reason(result) != ""


def test_the_page_lists_only_cases_that_there_are() -> None:
    assert set(LISTED) | set(TOLD) <= {(row["dialect"], row["id"]) for row in ROWS}
