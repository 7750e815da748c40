"""Whole workspaces beside the real Codex: a sample here, 84 with all odd servers in `scripts/soak workspaces`."""

from __future__ import annotations

import pytest

from tests.conformance.workspaces.codex import Codex, why_missing
from tests.conformance.workspaces.codex_workspaces import codex_workspace
from tests.conformance.workspaces.comparison import Compared, compared, report
from tests.conformance.workspaces.sample import agreement, seeds

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

FLOOR = 90  # percent


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    root = tmp_path_factory.mktemp("codex")
    workspaces = [codex_workspace(seed, root) for seed in seeds(sample=8, all_of_them=84)]
    return compared("codex", Codex(), workspaces)


def test_whole_workspaces_agree_with_codex(results: list[Compared]) -> None:
    print(report(results))
    assert agreement(results) >= FLOOR, report(results)
