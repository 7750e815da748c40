"""Whole workspaces with shapes that the generators do not have: a few here, 60 of each program in `scripts/soak`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.workspaces import claude, codex, gemini, opencode
from tests.conformance.workspaces.comparison import Oracle, compared, report
from tests.conformance.workspaces.generate import WRITERS
from tests.conformance.workspaces.sample import agreement, seeds

PROGRAMS: dict[str, tuple[str, Callable[[Path], Oracle], int]] = {
    "gemini": (gemini.why_missing(), gemini.Gemini, 95),
    "claude": (claude.why_missing(), claude.Claude, 90),
    "codex": (codex.why_missing(), lambda _scratch: codex.Codex(), 80),
    "opencode": (opencode.why_missing(), lambda _scratch: opencode.OpenCode(), 80),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_odd_workspaces_agree(program: str, tmp_path: Path) -> None:
    missing, oracle, floor = PROGRAMS[program]
    if missing:
        pytest.skip(missing)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    workspaces = [WRITERS[f"odd-{program}"](seed, tmp_path) for seed in seeds(sample=2, all_of_them=60)]
    results = compared(program, oracle(scratch), workspaces)
    print(report(results))
    assert agreement(results) >= floor, report(results)
