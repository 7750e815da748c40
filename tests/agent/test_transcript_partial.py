"""The file with an answer that grows: whatever lies at its name, only that file is written, for its user alone."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.agent.transcript_partial import add_partial, drop_partial, partial_after

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes are others there")


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_link_at_its_name_is_replaced_and_not_followed(tmp_path: Path, link: Callable[[Path, Path], None]) -> None:
    other = tmp_path / "other"
    other.write_text("kept")
    other.chmod(0o644)
    (tmp_path / "session").mkdir()
    link(other, tmp_path / "session" / "partial")
    add_partial(str(tmp_path / "session"), "leaf", "a secret", is_first=True)
    add_partial(str(tmp_path / "session"), "leaf", " and more", is_first=False)
    assert other.read_text() == "kept"
    assert partial_after(str(tmp_path / "session"), "leaf") == "a secret and more"
    assert stat.S_IMODE((tmp_path / "session" / "partial").lstat().st_mode) == 0o600


def test_what_cannot_be_text_of_an_answer_is_none(tmp_path: Path) -> None:
    partial = tmp_path / "partial"
    for garbage in (b"", b"\n", b"leaf", b"other\ntext", b"\0" * 5000, b"leaf" * 100 + b"\ntext"):
        partial.write_bytes(garbage)
        assert partial_after(str(tmp_path), "leaf") == ""
    partial.unlink()
    if sys.platform != "win32":
        os.mkfifo(partial)
        assert partial_after(str(tmp_path), "leaf") == ""
        drop_partial(str(tmp_path))
    partial.mkdir()
    add_partial(str(tmp_path), "leaf", "text", is_first=True)
    assert partial_after(str(tmp_path), "leaf") == ""
