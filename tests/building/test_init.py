"""`pisces build --init` proposes a configuration from what is there, and changes nothing else."""

from __future__ import annotations

import json
import tomllib

import pytest

from tests.building.repository import SKILL, Author, put, tree


@pytest.fixture
def adopting(author: Author) -> Author:
    (author.folder / "pisces.toml").unlink()
    return author


def test_it_is_shown_and_nothing_is_written_without_a_yes(adopting: Author) -> None:
    before = tree(adopting.folder)
    status, said = adopting.pisces("build", "--init")
    assert (status, "[build.targets]" in said) == (0, True)
    assert tree(adopting.folder) == before


def test_what_it_writes_builds_and_nothing_else_changes(adopting: Author) -> None:
    before = tree(adopting.folder)
    assert adopting.pisces("build", "--init", "--yes")[0] == 0
    after = tree(adopting.folder)
    config = tomllib.loads(after.pop("pisces.toml")[0].decode())
    assert after == before
    assert config["build"]["version"] == "package.json"
    assert config["build"]["targets"]["gemini"] == "dist/gemini"
    assert adopting.pisces("build")[0] == 0


def test_versions_out_of_step_are_named(adopting: Author) -> None:
    found = adopting.json("build", "--init")
    assert [(each["version"], each["inStep"]) for each in found["versions"]] == [("1.2.3", False), ("1.3.0", True)]


def test_what_is_shipped_by_hand_stays_so(adopting: Author) -> None:
    adopting.put(
        {
            "gemini-extension.json": '{"name": "demo", "version": "1.0.0"}',
            ".kimi-plugin/plugin.json": '{"name": "demo", "version": "1.0.0"}',
        }
    )
    config = tomllib.loads(adopting.json("build", "--init")["config"])["build"]
    assert config["format"] == "claude-plugin"
    assert "gemini" not in config["targets"]
    assert config["version-files"] == [".kimi-plugin/plugin.json"]


def test_plugins_of_a_marketplace_have_versions_of_their_own(adopting: Author) -> None:
    (adopting.folder / ".claude-plugin/plugin.json").unlink()
    names = ("one", "two")
    entries = [{"name": name, "source": f"./plugins/{name}", "version": "0.1.0"} for name in names]
    market = {"name": "m", "owner": {"name": "x"}, "plugins": entries}
    adopting.put({".claude-plugin/marketplace.json": json.dumps(market)})
    for name in names:
        manifest = json.dumps({"name": name, "version": "1.0.0"})
        put(adopting.folder / "plugins" / name, {".claude-plugin/plugin.json": manifest, "skills/n/SKILL.md": SKILL})
    found = adopting.json("build", "--init")
    assert tomllib.loads(found["config"])["build"]["version"] == "manifest"
    assert [each["version"] for each in found["versions"] if not each["inStep"]] == ["0.1.0", "0.1.0"]


def test_other_tables_of_the_file_stay(adopting: Author) -> None:
    adopting.put({"pisces.toml": '[check]\nignore = ["a"] # why'})
    adopting.pisces("build", "--init", "--yes")
    text = (adopting.folder / "pisces.toml").read_text()
    assert text.startswith('[check]\nignore = ["a"] # why\n\n[build]')
    assert tomllib.loads(text)["check"] == {"ignore": ["a"]}


def test_a_second_configuration_is_refused(author: Author) -> None:
    status, said = author.pisces("build", "--init", "--yes")
    assert (status, "build-configured" in said) == (1, True)


def test_a_folder_without_a_plugin_is_refused(adopting: Author) -> None:
    for name in (".claude-plugin/plugin.json", "skills/notes/SKILL.md", "commands/save.md"):
        (adopting.folder / name).unlink()
    status, said = adopting.pisces("build", "--init")
    assert (status, "build-no-plugin" in said) == (1, True)
