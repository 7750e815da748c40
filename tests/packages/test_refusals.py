"""Refusals of sources and locks that are rarely met: each has a code and says what is wrong."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.packages.fetching import fetch, newest
from pisces.packages.fetching.checkout import MOST_SUBMODULES
from pisces.packages.fetching.source import parse_source, source_from_json
from pisces.places import Places
from tests.packages.repositories import git, repository
from tests.packages.servers import serving_git
from tests.packages.test_install import World


def test_a_record_that_is_no_source_is_refused() -> None:
    with pytest.raises(PiscesError) as refused:
        source_from_json(["not", "a", "source"])
    assert refused.value.diagnostic.code == "source-record"


def test_a_folder_that_is_gone_is_refused(tmp_path: Path) -> None:
    folder, stage = tmp_path / "review", tmp_path / "stage"
    folder.mkdir()
    stage.mkdir()
    places = Places(str(tmp_path), str(tmp_path), {})
    source = parse_source(str(folder), places)
    folder.rmdir()
    with pytest.raises(PiscesError) as refused:
        newest(source, "", "", places)
    assert refused.value.diagnostic.code == "source-unreadable"
    with pytest.raises(PiscesError):
        fetch(source, str(stage), places, lambda _text: None)
    assert list(stage.iterdir()) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_submodules_without_end_are_refused(tmp_path: Path) -> None:
    served, stage = tmp_path / "served", tmp_path / "stage"
    stage.mkdir()
    places = Places(str(tmp_path), str(tmp_path), dict(os.environ))
    inner = repository(served / "inner", {"a.txt": "a"})
    outer = repository(served / "outer")
    head = git(inner, "rev-parse", "HEAD")
    with serving_git(served) as server:
        names = [f"m{number}" for number in range(MOST_SUBMODULES + 1)]
        modules = "".join(f'[submodule "{n}"]\n\tpath = {n}\n\turl = {server.url}/inner\n' for n in names)
        (outer / ".gitmodules").write_text(modules)
        git(outer, "add", ".gitmodules")
        for name in names:
            git(outer, "update-index", "--add", "--cacheinfo", f"160000,{head},{name}")
        git(outer, "commit", "--quiet", "-m", "too many")
        with pytest.raises(PiscesError) as refused:
            fetch(parse_source(f"git+{server.url}/outer", places), str(stage), places, lambda _text: None)
        fetched = [each.path for each in server.asked if "/inner/" in each.path]
    assert refused.value.diagnostic.code == "git-submodules", refused.value.diagnostic
    assert fetched == []


def test_a_package_that_the_project_does_not_list_cannot_be_locked(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.package("review")
    (world.project / ".pisces").mkdir()
    (world.project / ".pisces" / "packages.toml").write_text('[packages.review]\nsource = "./review"\n')
    done = world.run("extensions", "lock", "--update", "reviw")
    assert done.returncode == 1
    assert "[lock-unknown-package]" in done.stderr
