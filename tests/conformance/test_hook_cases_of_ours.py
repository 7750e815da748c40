"""Cases of hooks and rules that we made up and ran on the real programs, in the shape of the recorded ones.

Claude Code 2.1.325, Codex 0.166.0, Gemini CLI 0.61.0. `./scripts/hook-cases tests/conformance/hook_cases_of_ours.jsonl`
plays them too.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hook_cases.run_case import run_case

LINES = Path(__file__).with_name("hook_cases_of_ours.jsonl").read_text("utf-8").splitlines()
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
# The output of a tool that the program brings itself, a tool that it does not have, how it writes a shell or a domain.
OTHER_WORDS = frozenset(
    """
    codex-esc-odd codex-login codex-shellarg codex-toolb-shell codex-tool-update_plan gemini-p-ask-read claude-e2-0
    claude-e2-1 claude-cp-web-d28 claude-cp-web-a3 claude-if-F-3 gemini-g-core-proj
    """.split()
)
ENDS = re.compile(r"equal|stricter by rule [1-9]")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="hooks run by a shell here")


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_case_ends_as_in_the_real_program_or_stricter_by_a_rule(row: dict[str, Any]) -> None:
    result = run_case(row)
    assert "error" not in result
    assert ENDS.fullmatch(result["compared"]), result
    is_told = result.get("is_told_the_same", True) or result["told_by"] or row["id"] in OTHER_WORDS
    assert is_told, result
