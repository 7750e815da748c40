"""Whole workspaces beside the real Claude Code: a sample here, 150 in `scripts/soak workspaces`."""

from __future__ import annotations

import pytest

from tests.conformance.workspaces.claude import Claude, why_missing
from tests.conformance.workspaces.claude_workspaces import claude_workspace
from tests.conformance.workspaces.comparison import Compared, compared, report
from tests.conformance.workspaces.sample import agreement, seeds

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

FLOOR = 87  # percent: one of the eight that the suite tries may differ


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    root = tmp_path_factory.mktemp("claude")
    workspaces = [claude_workspace(seed, root) for seed in seeds(sample=8, all_of_them=150)]
    return compared("claude", Claude(tmp_path_factory.mktemp("scratch")), workspaces)


def test_whole_workspaces_agree_with_claude_code(results: list[Compared]) -> None:
    print(report(results))
    assert agreement(results) >= FLOOR, report(results)
