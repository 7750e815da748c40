"""Many packages: an update of all that finds nothing new asks each source once, several at a time."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer, install
from pisces.packages.store.store import own_store, read_index
from pisces.packages.update import check_all
from pisces.places import Places
from tests.gates.judges import deciding
from tests.packages.repositories import commit, repository
from tests.packages.servers import serving_git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

MANY = int(os.environ.get("PISCES_MANY", "12"))  # the 200 are installed by scripts/soak


def shop_of(places: Places) -> Installer:
    return Installer(own_store(places), places, deciding(lambda _asked: True), lambda _text: None)


def manifest(name: str, version: str) -> dict[str, str]:
    return {f"{name}/gemini-extension.json": json.dumps({"name": name, "version": version})}


def test_nothing_new_costs_one_question_each(tmp_path: Path) -> None:
    names = [f"package-{number:03}" for number in range(MANY)]
    files = {path: text for name in names for path, text in manifest(name, "1.0.0").items()}
    repository(tmp_path / "served" / "all.git", files)
    places = Places(str(tmp_path / "home"), str(tmp_path), dict(os.environ))
    shop = shop_of(places)
    with serving_git(tmp_path / "served") as server:
        for name in names:
            install(parse_source(f"{server.url}/all.git", places, subdir=name), shop)
        before = len(server.asked)
        states = [each.state for each in check_all(list(read_index(shop.store).values()), shop)]
        assert states == ["current"] * MANY
        assert len(server.asked) - before == MANY
        commit(tmp_path / "served" / "all.git", manifest(names[0], "2.0.0"))
        states = [each.state for each in check_all(list(read_index(shop.store).values()), shop)]
    assert "current" not in states
    assert len(read_index(shop.store)) == MANY
    assert threading.active_count() < 50
