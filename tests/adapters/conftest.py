"""One workspace for each module of tests, with a plugin in it whose hooks every framework must obey."""

from __future__ import annotations

import os

import pytest

from tests.adapters.frameworks import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    return Workspace(tmp_path_factory.mktemp("workspace").resolve(), shared)
