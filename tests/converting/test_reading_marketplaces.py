"""A folder that lists plugins: each is read by its name, with or without a manifest of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.convert import ConvertRequest, convert
from pisces.converting.marketplace import plugins_in
from pisces.converting.reading import ReadPlugin, read_plugin
from pisces.diagnostics import PiscesError
from tests.converting.test_convert import places_of, put

SKILL = "---\nname: notes\ndescription: Notes\n---\nWrite.\n"


def market(folder: Path, plugins: list[Any], files: dict[str, str], **more: Any) -> str:
    values = {"name": "market", "owner": {"name": "Me"}, "plugins": plugins, **more}
    return str(put(folder / "market", {".claude-plugin/marketplace.json": json.dumps(values, indent=1), **files}))


def read(folder: Path, root: str, name: str) -> ReadPlugin:
    return read_plugin(root, places_of(folder), plugin=name)


def test_every_plugin_is_listed_with_its_folder_or_why_it_has_none(tmp_path: Path) -> None:
    elsewhere = {"name": "b", "source": {"source": "github", "repo": "x/y"}}
    plugins = [{"name": "a", "source": "./plugins/a"}, elsewhere, {"name": "c", "source": "./../../etc"}, 5, {}]
    root = market(tmp_path, plugins, {"plugins/a/commands/x.md": "x"})
    found = {each.name: (bool(each.folder), bool(each.why)) for each in plugins_in(root, places_of(tmp_path))}
    assert found == {"a": (True, False), "b": (False, True), "c": (False, True)}


def test_a_folder_of_all_sources_counts(tmp_path: Path) -> None:
    files = {"all/a/.claude-plugin/plugin.json": '{"name": "a"}', "all/a/commands/x.md": "x"}
    root = market(tmp_path, [{"name": "a", "source": "a"}], files, metadata={"pluginRoot": "./all"})
    assert [each.name for each in read(tmp_path, root, "a").plugin.commands] == ["x"]


def test_an_entry_stands_for_a_manifest_that_is_not_there(tmp_path: Path) -> None:
    entry = {
        "name": "docs",
        "source": "./",
        "strict": False,
        "version": "2.0.0",
        "description": "Documents",
        "skills": ["./tools/notes"],
        "mcpServers": {"s": {"command": "s"}},
    }
    root = market(tmp_path, [entry, {"name": "other", "source": "./o"}], {"tools/notes/SKILL.md": SKILL})
    plugin = read(tmp_path, root, "docs").plugin
    assert (plugin.name, plugin.version, plugin.description) == ("docs", "2.0.0", "Documents")
    assert [each.name for each in plugin.skills] == ["notes"]
    assert [each.name for each in plugin.servers] == ["s"]


def test_an_entry_adds_what_the_manifest_does_not_say(tmp_path: Path) -> None:
    entry = {"name": "a", "source": "./a", "version": "3.0.0", "license": "MIT"}
    root = market(tmp_path, [entry], {"a/.claude-plugin/plugin.json": '{"name": "a", "version": "1.0.0"}'})
    plugin = read(tmp_path, root, "a").plugin
    assert (plugin.version, plugin.metadata["license"]) == ("1.0.0", "MIT")


def test_the_only_plugin_needs_no_name(tmp_path: Path) -> None:
    root = market(tmp_path, [{"name": "a", "source": "./a"}], {"a/commands/x.md": "x"})
    assert read(tmp_path, root, "").plugin.name == "a"


def test_of_several_plugins_one_must_be_named(tmp_path: Path) -> None:
    plugins = [{"name": "a", "source": "./a"}, {"name": "b", "source": "./b"}]
    root = market(tmp_path, plugins, {"a/commands/x.md": "x", "b/commands/x.md": "x"})
    with pytest.raises(PiscesError) as caught:
        read(tmp_path, root, "")
    assert caught.value.diagnostic.code == "convert-no-package"
    assert "a, b" in caught.value.diagnostic.hint
    made = convert(ConvertRequest(root, "gemini", plugin="b"), places_of(tmp_path))
    assert made.plugin.name == "b"


@pytest.mark.parametrize("name", ["b", "nobody"])
def test_a_plugin_that_is_not_here_is_refused(tmp_path: Path, name: str) -> None:
    elsewhere = {"name": "b", "source": {"source": "github", "repo": "x/y"}}
    root = market(tmp_path, [{"name": "a", "source": "./a"}, elsewhere], {"a/commands/x.md": "x"})
    with pytest.raises(PiscesError) as caught:
        read(tmp_path, root, name)
    assert caught.value.diagnostic.code == "convert-not-listed"


def test_a_marketplace_of_codex_is_read(tmp_path: Path) -> None:
    values = {"name": "m", "plugins": [{"name": "a", "source": {"source": "local", "path": "./a"}}]}
    files = {"a/.codex-plugin/plugin.json": '{"name": "a"}', "a/skills/notes/SKILL.md": SKILL}
    put(tmp_path / "market", {".agents/plugins/marketplace.json": json.dumps(values), **files})
    plugin = read(tmp_path, str(tmp_path / "market"), "a").plugin
    assert (plugin.harness, [each.name for each in plugin.skills]) == ("codex", ["notes"])
