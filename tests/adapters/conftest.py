"""One workspace for each module of tests, with a plugin in it whose hooks every framework must obey."""

from __future__ import annotations

import pytest

from tests.adapters.frameworks import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("workspace").resolve())
