"""One author for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building.repository import Author


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Author:
    return Author(tmp_path, monkeypatch, capsys)
