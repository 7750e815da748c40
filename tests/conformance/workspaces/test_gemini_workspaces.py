"""Whole workspaces beside the real Gemini CLI: a sample here, 300 in `scripts/soak workspaces`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.workspaces.comparison import Compared, compared, report
from tests.conformance.workspaces.gemini import Gemini, why_missing
from tests.conformance.workspaces.gemini_workspaces import gemini_workspace
from tests.conformance.workspaces.sample import agreement, seeds

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

FLOOR = 4.0  # percent of workspaces that agree whole


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    root = tmp_path_factory.mktemp("gemini")
    workspaces = [gemini_workspace(seed, root) for seed in seeds(sample=14, all_of_them=300)]
    return compared("gemini", Gemini(tmp_path_factory.mktemp("scratch")), workspaces)


def test_whole_workspaces_agree_with_gemini_cli(results: list[Compared]) -> None:
    print(report(results))
    assert agreement(results) >= FLOOR, report(results)


def test_a_seed_makes_the_same_workspace_again(tmp_path: Path) -> None:
    one, other = gemini_workspace(1, tmp_path / "one"), gemini_workspace(1, tmp_path / "other")

    def files(root: Path) -> dict[str, str]:
        found = (path for path in root.rglob("*") if path.is_file())
        return {str(path.relative_to(root)): path.read_text("utf-8").replace(str(root), "") for path in found}

    assert files(one.home.parent) == files(other.home.parent) != {}
    assert one.traits == other.traits
