"""What the house tests look at: the source of pisces, parsed once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def package(root: Path) -> Path:
    return root / "src" / "pisces"


@pytest.fixture(scope="session")
def modules(package: Path) -> dict[Path, ast.Module]:
    """Every module of pisces, by path relative to the package. Templates are data, whatever their files are called."""
    files = sorted(file for file in package.rglob("*.py") if "templates" not in file.parts)
    return {file.relative_to(package): ast.parse(file.read_text("utf-8"), str(file)) for file in files}
