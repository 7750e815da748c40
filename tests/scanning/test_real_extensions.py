"""Real extensions: no errors, and few packages with warnings. Needs the corpus that PISCES_CORPUS names."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.corpus import extracted, why_missing

from pisces.places import Places
from pisces.scanning.scan import scan

ARCHIVE = "gemini-extensions.tar.gz"
MOST_WITH_WARNINGS = 15


@pytest.mark.skipif(bool(why_missing(ARCHIVE)), reason=why_missing(ARCHIVE))
def test_real_extensions_have_no_errors_and_few_have_warnings(tmp_path: Path) -> None:
    packages = sorted(path.parent for path in extracted(ARCHIVE, tmp_path / "real").rglob("gemini-extension.json"))
    places = Places(str(tmp_path / "home"), str(tmp_path))
    found = {package.name: scan(str(package), places).diagnostics for package in packages}
    errors = [f"{name}: {each}" for name, all_ in found.items() for each in all_ if each.severity == "error"]
    assert errors == []
    warned = [name for name, all_ in found.items() if any(each.severity == "warning" for each in all_)]
    assert len(warned) <= MOST_WITH_WARNINGS, warned
