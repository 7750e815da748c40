"""Pins: every file below a folder by the hash of its bytes, wherever links lead; nothing odd is opened."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pisces.discovery import pins as module
from pisces.discovery.pins import NotPinned, TooManyFiles, broken_pin, changed_pins, check_pin, digest_of, pins_below
from tests.discovery.world import written


def test_every_file_has_a_pin_and_the_order_of_the_disk_does_not_matter(tmp_path: Path) -> None:
    for name in ("b/two", "a/one", ".hidden/three"):
        written(tmp_path / name, name)
    found = pins_below(str(tmp_path))
    assert found == {
        name: f"sha256:{hashlib.sha256(name.encode()).hexdigest()}" for name in ("b/two", "a/one", ".hidden/three")
    }
    assert digest_of(found) == digest_of(dict(reversed(found.items())))


def test_a_name_cannot_pretend_to_be_part_of_a_link() -> None:
    """Both may have line ends in them; neither has a NUL."""
    assert digest_of({"a": "link:x\ny", "b": "sha256:1"}) != digest_of({"a": "link:x", "y\nb": "sha256:1"})


def test_what_lies_behind_a_link_out_of_the_folder_is_pinned_once(tmp_path: Path) -> None:
    written(tmp_path / "other/lib/words", "one")
    written(tmp_path / "box/own", "")
    (tmp_path / "box" / "file").symlink_to("../other/lib/words")
    for name in ("folder", "again"):
        (tmp_path / "box" / name).symlink_to("../other")
    before = pins_below(str(tmp_path / "box"))
    written(tmp_path / "other/lib/words", "two")
    changes = list(changed_pins(before, pins_below(str(tmp_path / "box"))))
    assert changes == [("changed", "again/lib/words"), ("changed", "file")]


def test_links_in_circles_and_pipes_end(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "self").symlink_to("self")
    (tmp_path / "box" / "up").symlink_to("..")
    (tmp_path / "box" / "gone").symlink_to("nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "box" / "pipe")
        assert pins_below(str(tmp_path / "box"))["pipe"] == "special"
    assert "gone" in pins_below(str(tmp_path / "box"))


def test_a_folder_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 3)
    for number in range(4):
        written(tmp_path / str(number), "")
    with pytest.raises(TooManyFiles):
        pins_below(str(tmp_path))


def test_other_bytes_and_other_files_are_not_pinned(tmp_path: Path) -> None:
    path = str(written(tmp_path / "one", "1"))
    pins = {path: f"sha256:{hashlib.sha256(b'1').hexdigest()}"}
    check_pin(pins, path, b"1")
    for wrong, data in ((path, b"2"), (str(tmp_path / "two"), b"1"), (path, b"")):
        with pytest.raises(NotPinned):
            check_pin(pins, wrong, data)
    assert broken_pin(pins) == ""
    written(tmp_path / "one", "2")
    assert broken_pin(pins) == path
