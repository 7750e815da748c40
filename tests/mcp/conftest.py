from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.wiring_world import ServerWorld


@pytest.fixture
def world(tmp_path: Path) -> ServerWorld:
    return ServerWorld(tmp_path.resolve())
