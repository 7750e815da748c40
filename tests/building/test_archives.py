"""Release assets: the same bytes wherever they are built, with the names that programs look for."""

from __future__ import annotations

import json
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from pisces.building.archive import archives_of
from pisces.building.build import BuiltPackage
from pisces.converting.convert import Converted
from pisces.converting.plugin import Plugin
from pisces.converting.writer import OutputFile
from pisces.diagnostics import PiscesError
from pisces.harnesses.gemini.release_assets import asset_names
from tests.building.repository import CONFIG, Author, tree


@pytest.fixture
def release(author: Author) -> Path:
    author.put({"skills/notes/run.sh": "#!/bin/sh\n"})
    (author.folder / "skills/notes/run.sh").chmod(0o755)
    return author.folder.parent / "release"


def test_only_the_archive_is_written(author: Author, release: Path) -> None:
    before = tree(author.folder)
    status, said = author.pisces("build", "--archive", str(release))
    assert status == 0, said
    assert tree(author.folder) == before
    assert [path.name for path in release.iterdir()] == ["demo.tar.gz"]


@pytest.mark.parametrize("folder", ["dist", "release"])
def test_an_archive_in_the_repository_is_no_part_of_the_next_one(author: Author, folder: str) -> None:
    author.pisces("build", "--archive", folder)
    first = (author.folder / folder / "demo.tar.gz").read_bytes()
    author.pisces("build", "--archive", folder)
    assert (author.folder / folder / "demo.tar.gz").read_bytes() == first
    if folder == "dist":  # beside the outputs, where any build knows it
        author.pisces("build")
        assert not list((author.folder / "dist/gemini").rglob("*.tar.gz"))


def test_the_manifest_is_at_the_root_and_programs_are_programs(author: Author, release: Path) -> None:
    author.pisces("build", "--archive", str(release))
    with tarfile.open(release / "demo.tar.gz") as archive:
        members = {each.name: each for each in archive.getmembers()}
    written = {"commands/demo/save.toml", "gemini-extension.json", "skills/notes/SKILL.md", "skills/notes/run.sh"}
    assert set(members) == {*written, "package.json"}
    assert {each.mtime for each in members.values()} == {315532800}
    assert {each.uid for each in members.values()} == {0}
    if os.name != "nt":
        assert members["skills/notes/run.sh"].mode == 0o755
        assert members["skills/notes/SKILL.md"].mode == 0o644


@pytest.mark.parametrize("words", [(), ("--zip",)])
def test_the_same_files_give_the_same_bytes(author: Author, release: Path, words: tuple[str, ...]) -> None:
    author.pisces("build", "--archive", str(release / "a"), *words)
    for path in author.folder.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(path.stat().st_mode & ~stat.S_IRWXO)
    author.pisces("build", "--archive", str(release / "b"), *words)
    assert [each[0] for each in tree(release / "a").values()] == [each[0] for each in tree(release / "b").values()]
    found = author.json("build", "--archive", str(release / "b"), *words)
    assert [each["new"] for each in found["archives"]] == [False]


def test_a_zip_file_holds_the_same(author: Author, release: Path) -> None:
    author.pisces("build", "--archive", str(release), "--zip")
    with zipfile.ZipFile(release / "demo.zip") as archive:
        assert json.loads(archive.read("gemini-extension.json"))["version"] == "1.3.0"
        if os.name != "nt":
            assert archive.getinfo("skills/notes/run.sh").external_attr >> 16 & 0o777 == 0o755


@pytest.mark.parametrize(
    ("name", "platforms", "is_alone", "expected"),
    [
        ("demo", (), True, ["demo"]),
        ("demo", (), False, ["darwin.demo", "linux.demo", "win32.demo"]),
        ("linux-tools", (), True, ["darwin.linux-tools", "linux.linux-tools", "win32.linux-tools"]),
        ("demo", ("linux.x64", "darwin.arm64"), True, ["linux.x64.demo", "darwin.arm64.demo"]),
    ],
)
def test_assets_have_the_names_that_gemini_looks_for(
    name: str, platforms: tuple[str, ...], is_alone: bool, expected: list[str]
) -> None:
    assert asset_names(name, platforms, is_alone) == expected


def test_platforms_are_declared_by_the_author(author: Author, release: Path) -> None:
    author.put({"pisces.toml": CONFIG.replace('"dist/gemini"', '{ out = "dist/gemini", platforms = ["linux.x64"] }')})
    author.pisces("build", "--archive", str(release))
    assert [path.name for path in release.iterdir()] == ["linux.x64.demo.tar.gz"]


def test_two_archives_of_one_name_are_refused() -> None:
    plugin = Plugin("demo", "1.0.0", "", "", "")
    package = BuiltPackage("demo", "1.0.0", "", Converted(plugin, "", "one", (OutputFile("a", b"a"),), ()))
    with pytest.raises(PiscesError) as caught:
        archives_of([package, package], "tar.gz")
    assert caught.value.diagnostic.code == "build-archive-clash"


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_an_archive_replaces_no_link(author: Author, release: Path) -> None:
    release.mkdir()
    target = author.folder.parent / "precious"
    target.write_text("precious")
    (release / "demo.tar.gz").symlink_to(target)
    status, said = author.pisces("build", "--archive", str(release))
    assert (status, "build-archive-not-a-file" in said) == (1, True)
    assert target.read_text() == "precious"


def test_what_is_archived_installs(author: Author, release: Path) -> None:
    author.pisces("build", "--archive", str(release))
    assert "1.3.0" in author.installed(str(release / "demo.tar.gz"))
