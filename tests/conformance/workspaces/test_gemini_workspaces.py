"""Whole workspaces beside the real Gemini CLI: a sample here, 300 in `scripts/soak workspaces`."""

from __future__ import annotations

import pytest

from tests.conformance.workspaces.comparison import Compared, compared, report
from tests.conformance.workspaces.gemini import Gemini, why_missing
from tests.conformance.workspaces.gemini_workspaces import gemini_workspace
from tests.conformance.workspaces.sample import agreement, seeds

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

FLOOR = 98  # percent


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    root = tmp_path_factory.mktemp("gemini")
    workspaces = [gemini_workspace(seed, root) for seed in seeds(sample=9, all_of_them=300)]
    return compared("gemini", Gemini(tmp_path_factory.mktemp("scratch")), workspaces)


def test_whole_workspaces_agree_with_gemini_cli(results: list[Compared]) -> None:
    print(report(results))
    assert agreement(results) >= FLOOR, report(results)
