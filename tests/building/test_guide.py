"""The guide about shipping everywhere is true: its files are put down, its commands run in order."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from pisces.building.config import read_config
from pisces.places import Places
from tests.building.repository import Author

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "shipping-everywhere.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)(?: path=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")
def test_the_guide_works_from_its_first_line_to_its_last(author: Author) -> None:
    for path in list(author.folder.iterdir()):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    statuses: dict[str, int] = {}
    for kind, path, text in BLOCK.findall(GUIDE):
        if kind == "file":
            author.put({path: text})
        if kind == "sh":
            if not (author.folder / ".git").exists():
                author.committed()
            _, *words = shlex.split(text)
            statuses[text.strip()], said = author.pisces(*words)
            assert "lost-" in said or statuses[text.strip()] == 0, said
    assert statuses["pisces build --check"] == 0
    for name in (".claude-plugin/plugin.json", "dist/gemini/gemini-extension.json"):
        assert json.loads((author.folder / name).read_text())["version"] == "1.1.0"
    assert '"version": "1.1.0"' in (author.folder / ".claude-plugin/marketplace.json").read_text()
    manifest = json.loads((author.folder / "dist/gemini/gemini-extension.json").read_text())
    assert manifest["contextFileName"] == "NOTES.md"
    assert [each.name for each in (author.folder / "release").iterdir()] == ["notes.tar.gz"]
    assert "NOTES.md" in author.git("ls-tree", "--name-only", "refs/heads/dist/gemini")


def test_the_configuration_of_the_guide_is_one(author: Author) -> None:
    (text,) = [text for kind, _, text in BLOCK.findall(GUIDE) if kind == "toml"]
    targets = tomllib.loads(text)["build"]["targets"]
    author.put({"pisces.toml": text})
    config = read_config(Places(str(author.home), str(author.folder)))
    assert {each.id: each.accepted for each in config.targets} == {"codex": (), "gemini": ("lost-hook",)}
    assert set(targets) == {"codex", "gemini"}


def test_the_guide_names_every_key_of_the_configuration() -> None:
    source = (Path(__file__).parents[2] / "src/pisces/building/config.py").read_text("utf-8")
    for key in re.findall(r'^        "([a-z-]+)": ', source, re.MULTILINE):
        assert f"`{key}`" in GUIDE, key
