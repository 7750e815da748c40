"""Every change in a folder shows in its identity, without a file being read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.gates.folder_identity import folder_identity


def rewritten(folder: Path) -> None:
    """The same length, and the times of content as before."""
    path = folder / "lib" / "words"
    before = path.stat()
    path.write_text("WORD=evil\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def swapped(folder: Path) -> None:
    other = folder / "lib" / "other"
    other.write_text("WORD=evil\n")
    os.replace(other, folder / "lib" / "words")


def added(folder: Path) -> None:
    (folder / "lib" / "more").write_text("")


def linked(folder: Path) -> None:
    (folder / "lib" / "words").unlink()
    (folder / "lib" / "words").symlink_to("/etc/passwd")


def runnable(folder: Path) -> None:
    (folder / "lib" / "words").chmod(0o755)


@pytest.mark.parametrize("change", [rewritten, swapped, added, linked, runnable])
def test_a_change_shows(change: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "words").write_text("WORD=fine\n")
    before = folder_identity(str(tmp_path))
    assert folder_identity(str(tmp_path)) == before
    change(tmp_path)
    assert folder_identity(str(tmp_path)) != before


def test_what_cannot_be_looked_at_has_none(tmp_path: Path) -> None:
    assert folder_identity(str(tmp_path / "gone")) == ()
