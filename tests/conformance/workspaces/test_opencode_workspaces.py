"""Whole workspaces beside the real OpenCode: a sample here, 60 in `scripts/soak workspaces`."""

from __future__ import annotations

import pytest

from tests.conformance.workspaces.comparison import Compared, compared, report
from tests.conformance.workspaces.opencode import OpenCode, why_missing
from tests.conformance.workspaces.opencode_workspaces import opencode_workspace
from tests.conformance.workspaces.sample import agreement, seeds

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

FLOOR = 80  # percent


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    root = tmp_path_factory.mktemp("opencode")
    workspaces = [opencode_workspace(seed, root) for seed in seeds(sample=6, all_of_them=60)]
    return compared("opencode", OpenCode(), workspaces)


def test_whole_workspaces_agree_with_opencode(results: list[Compared]) -> None:
    print(report(results))
    assert agreement(results) >= FLOOR, report(results)
