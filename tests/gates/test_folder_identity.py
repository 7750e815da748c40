"""Every change in a folder shows in its identity, without a file being read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.gates.folder_identity import folder_identity, settled


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


def test_a_folder_with_a_link_that_leads_out_has_none(tmp_path: Path) -> None:
    """What lies behind the link is not looked at."""
    (tmp_path / "box" / "lib").mkdir(parents=True)
    inside = tmp_path / "box" / "lib" / "inside"
    for target in ("../lib", "words", "../lib/words"):
        inside.symlink_to(target)
        assert folder_identity(str(tmp_path / "box"))
        inside.unlink()
    for target in ("../..", "../../other", str(tmp_path), "sub/../../../other"):
        inside.symlink_to(target)
        assert folder_identity(str(tmp_path / "box")) == ()
        inside.unlink()


def test_links_that_lead_out_only_together_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "box" / "a" / "b").mkdir(parents=True)
    (tmp_path / "box" / "a" / "b" / "up").symlink_to("..")
    (tmp_path / "box" / "a" / "b" / "out").symlink_to("up/../../other")
    assert folder_identity(str(tmp_path / "box")) == ()


def test_a_change_of_just_now_proves_nothing(tmp_path: Path) -> None:
    """Another one within the same tick of the clock would leave the same time."""
    (tmp_path / "words").write_text("")
    identity = folder_identity(str(tmp_path))
    changed = identity[-1]
    assert settled(identity, changed + 1_000_000) == ()
    assert settled(identity, changed - 1_000_000) == ()
    assert settled(identity, changed + 1_000_000_000) == identity
    assert settled((), changed) == ()
