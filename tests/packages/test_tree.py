"""A tree's hash: the same files give the same hash, any other byte, path or link gives another."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pisces.atomic import remove_tree
from pisces.packages.store.tree import WITH_RUN_BITS, WITHOUT_RUN_BITS, changed_files, tree_of


def planted(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_the_same_files_give_the_same_hash(tmp_path: Path) -> None:
    one = planted(tmp_path / "one", b="2", a__c="1")
    other = planted(tmp_path / "other", a__c="1", b="2")
    (other / "empty").mkdir()
    os.utime(other / "b", (0, 0))
    (other / "b").chmod(0o600)
    assert tree_of(str(one)).hash == tree_of(str(other)).hash


def test_the_run_bit_is_part_of_the_hash_and_no_part_of_an_earlier_one(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no run bit")
    folder = planted(tmp_path / "one", a="1")
    plain = tree_of(str(folder))
    (folder / "a").chmod(0o755)
    runs = tree_of(str(folder))
    assert plain.hash != runs.hash
    assert list(changed_files(plain, runs)) == [("changed", "a")]
    assert runs.is_recorded(plain.hash, WITHOUT_RUN_BITS)
    assert not runs.is_recorded(plain.hash, WITH_RUN_BITS)


@pytest.mark.parametrize("change", [{"a": "2"}, {"b": "1"}, {"a": "1", "b": ""}])
def test_anything_else_gives_another(change: dict[str, str], tmp_path: Path) -> None:
    before = tree_of(str(planted(tmp_path / "one", a="1")))
    after = tree_of(str(planted(tmp_path / "other", **change)))
    assert before.hash != after.hash
    assert list(changed_files(before, after))


def test_links_count_by_where_they_lead_and_pipes_are_never_opened(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("links and pipes are made the POSIX way")
    folder = planted(tmp_path / "one", a="1")
    plain = tree_of(str(folder)).hash
    (folder / "link").symlink_to("a")
    linked = tree_of(str(folder)).hash
    (folder / "link").unlink()
    (folder / "link").symlink_to("b")
    assert len({plain, linked, tree_of(str(folder)).hash}) == 3
    os.mkfifo(folder / "pipe")
    assert [file.kind for file in tree_of(str(folder)).files] == ["file", "link", "special"]


def test_a_read_only_folder_can_be_removed(tmp_path: Path) -> None:
    folder = planted(tmp_path / "one", inner__a="1")
    (folder / "inner" / "a").chmod(0o400)
    (folder / "inner").chmod(0o500)
    remove_tree(str(folder))
    remove_tree(str(folder))
    assert not folder.exists()
