"""Plugins and marketplaces of Cursor against the schemas that Cursor publishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.checking.planting import checked, codes
from tests.checking.trees import Tree

PLUGIN = ".cursor-plugin/plugin.json"


def cursor(files: Tree | None = None, **fields: Any) -> Tree:
    return {PLUGIN: json.dumps({"name": "box", **fields}), **(files or {})}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, ""),
        ({"name": "My Box"}, "cursor-manifest"),
        ({"author": "me"}, "cursor-manifest"),
        ({"homepage": "example"}, "cursor-manifest"),
        ({"minClientVersions": {"cursor": "3"}}, "cursor-manifest"),
        ({"hooks": []}, "cursor-manifest"),
        ({"userConfig": {}}, "cursor-manifest-key"),
        ({"author": {"name": "me", "url": "https://example.com"}}, "cursor-manifest-key"),
    ],
)
def test_manifests(fields: dict[str, Any], code: str, tmp_path: Path) -> None:
    assert codes(checked(tmp_path, cursor(**fields))) == ([code] if code else [])


def test_a_pattern_in_a_manifest_names_files(tmp_path: Path) -> None:
    files: Tree = {"prompts/a.md": "A", "prompts/deep/b.md": "B", "prompts/c.txt": "C"}
    result = checked(tmp_path, cursor(files, commands="./prompts/**/*.md"))
    assert [each.name for each in result.targets[0].components] == ["/a", "/b"]
    assert codes(result) == []


@pytest.mark.parametrize(
    ("plugins", "fine"),
    [
        ([{"name": "box", "source": "box"}], True),
        ([{"name": "Box", "source": "box"}], False),
        ([{"name": "box", "source": "missing"}], False),
        ([{"name": "box"}], False),
        ([{"name": "far", "source": "https://example.com/far.git"}], True),
    ],
)
def test_marketplaces(plugins: list[Any], fine: bool, tmp_path: Path) -> None:
    market = json.dumps({"name": "market", "plugins": plugins})
    tree: Tree = {".cursor-plugin/marketplace.json": market, **{f"box/{name}": text for name, text in cursor().items()}}
    assert ("cursor-marketplace" not in codes(checked(tmp_path, tree))) is fine


def test_a_key_that_the_schema_of_marketplaces_lacks_is_noted_once(tmp_path: Path) -> None:
    plugins = [{"name": name, "source": name, "version": "1.0.0"} for name in ("one", "two")]
    market = {"name": "market", "owner": {"name": "me", "url": "https://example.com"}, "plugins": plugins}
    tree: Tree = {f"{name}/{PLUGIN}": json.dumps({"name": name}) for name in ("one", "two")}
    result = checked(tmp_path, {".cursor-plugin/marketplace.json": json.dumps(market, indent=1), **tree})
    assert sorted(codes(result)) == ["cursor-marketplace-key"] * 2
    assert {each.severity for each in result.diagnostics} == {"note"}
    assert {each.message.partition(" ")[0] for each in result.diagnostics} == {"`owner.url`", "`plugins.version`"}
