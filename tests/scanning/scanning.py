"""A scan of a small tree of files."""

from __future__ import annotations

from pathlib import Path

from pisces.diagnostics import Diagnostic
from pisces.places import Places
from pisces.scanning.scan import scan
from pisces.scanning.scanned import Scanned
from tests.checking.planting import plant
from tests.checking.trees import Tree


def scanned(folder: Path, tree: Tree, *waiver_files: str, today: str = "2026-01-01") -> Scanned:
    """The tree lies in `box`, the current directory is beside it."""
    plant(folder / "box", tree)
    return scan("box", Places(str(folder / "home"), str(folder)), waiver_files, today)


def told(folder: Path, tree: Tree) -> list[tuple[str, str]]:
    """Code and severity of each finding."""
    return [(each.code, each.severity) for each in scanned(folder, tree).diagnostics]


def first(folder: Path, tree: Tree, code: str) -> Diagnostic:
    return next(each for each in scanned(folder, tree).diagnostics if each.code == code)
