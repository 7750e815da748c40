"""A temporary folder that several users share: nobody else can lend us a file, or make us open up another folder."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from pisces.diagnostics import Diagnostic
from pisces.ide import Companion, Window
from pisces.ide.discovery_file import DiscoveryFile, discovery_files

SOMEBODY = 12345


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    tmp_path.chmod(0o1777)
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize(("mode", "counts"), [(0o600, True), (0o644, True), (0o664, True), (0o666, False)])
def test_a_file_that_everybody_may_write_does_not_count(shared: Path, mode: int, counts: bool) -> None:
    env = {"TMPDIR": str(shared)}
    with Companion(Window(), env=env) as companion:
        os.chmod(companion.files[0], mode)
        (found,) = discovery_files(env)
    assert isinstance(found, DiscoveryFile) == counts
    if isinstance(found, Diagnostic):
        assert found.code == "ide-file-not-ours"


def test_below_somebody_elses_folder_ours_stays_ours(shared: Path) -> None:
    """Its owner may put a link in the place of ours at any moment, and have us change the mode of what it leads to."""
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("needs root, to give files away")
    above = shared / "gemini"
    above.mkdir()
    os.chown(above, SOMEBODY, -1)
    with Companion(Window(), env={"TMPDIR": str(shared)}) as companion:
        assert companion.files
        assert stat.S_IMODE((above / "ide").stat().st_mode) == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows has no shared temporary folder")
def test_a_file_of_ours_under_a_second_name_does_not_count(shared: Path) -> None:
    """Where the system allows such links, another user can name any file of ours as an editor's, program and all."""
    folder = shared / "gemini" / "ide"
    folder.mkdir(parents=True)
    downloaded = shared / "downloaded.json"
    downloaded.write_text('{"port": 1, "workspacePath": "/", "stdio": {"command": "evil"}}')
    (folder / f"gemini-ide-server-{os.getpid()}-1.json").hardlink_to(downloaded)
    (found,) = discovery_files({"TMPDIR": str(shared)})
    assert isinstance(found, Diagnostic)
    assert found.code == "ide-file-not-ours"


@pytest.mark.parametrize("below", ["gemini", "gemini/ide"])
def test_a_link_of_somebody_in_the_place_of_the_folder_is_not_followed(shared: Path, below: str) -> None:
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("needs root, to give files away")
    downloads = shared / "downloads"
    folder = downloads / "ide" if below == "gemini" else downloads
    folder.mkdir(parents=True)
    (folder / f"gemini-ide-server-{os.getpid()}-1.json").write_text('{"port": 1, "workspacePath": "/"}')
    link = shared / below
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(downloads)
    assert isinstance(discovery_files({"TMPDIR": str(shared)})[0], DiscoveryFile), "our own link is followed"
    os.chown(link, SOMEBODY, -1, follow_symlinks=False)
    (found,) = discovery_files({"TMPDIR": str(shared)})
    assert isinstance(found, Diagnostic)
    assert found.path == str(link)


def test_a_link_in_the_place_of_our_folder_opens_up_nothing(shared: Path) -> None:
    private = shared / "private"
    private.mkdir(mode=0o700)
    (shared / "gemini").symlink_to(private)
    with Companion(Window(), env={"TMPDIR": str(shared)}):
        modes = [stat.S_IMODE(each.stat().st_mode) for each in (private, private / "ide")]
    assert modes == [0o700, 0o700]
