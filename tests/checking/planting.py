"""Small trees of files for a test, and a check of them."""

from __future__ import annotations

from pathlib import Path

from pisces.checking.check import check
from pisces.checking.checked import Checked
from pisces.places import Places
from tests.checking.trees import Tree


def plant(folder: Path, tree: Tree) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in tree.items():
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def checked(folder: Path, tree: Tree, *paths: str) -> Checked:
    """The check of paths in a planted folder, with that folder as the current one."""
    plant(folder / "project", tree)
    return check(list(paths), Places(str(folder / "home"), str(folder / "project")))


def found(result: Checked, code: str) -> list[tuple[str, int, int]]:
    """Where a rule was broken: file name, line and column."""
    return [(Path(each.path).name, each.line, each.column) for each in result.diagnostics if each.code == code]


def codes(result: Checked) -> list[str]:
    return [each.code for each in result.diagnostics]
