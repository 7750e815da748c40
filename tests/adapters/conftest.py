"""One workspace for each module of tests, with a plugin in it whose hooks every framework must obey."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.frameworks import Workspace

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("workspace").resolve())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a framework in one process: its program is slow to start, and one run of it serves them all."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
