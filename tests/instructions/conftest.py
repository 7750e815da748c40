from __future__ import annotations

from pathlib import Path

import pytest

from tests.instructions.workspace import Workspace


@pytest.fixture
def here(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)
