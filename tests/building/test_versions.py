"""One version, written to every place that says one; no other byte of those files changes."""

from __future__ import annotations

import json

import pytest

from tests.building.repository import CONFIG, Author, tree

MARKET = """\ufeff{\r
  // what we sell
  "name": "m",\t"owner": {"name": "x"},
  "version": "9.9.9",
  "plugins": [
    /* ours */ {"name": "demo", "source": "./", "version": "1.0.0", },
    {"name": "other", "source": {"source": "github", "repo": "a/b"}, "version": "1.0.0"},
  ],
}"""


def test_only_the_bytes_of_the_version_change(author: Author) -> None:
    author.put({".claude-plugin/marketplace.json": MARKET})
    author.pisces("build")
    expected = MARKET.replace('"./", "version": "1.0.0"', '"./", "version": "1.3.0"').encode()
    assert (author.folder / ".claude-plugin/marketplace.json").read_bytes() == expected


def test_manifests_and_marketplaces_of_every_harness_get_it(author: Author) -> None:
    entry = {"name": "demo", "source": {"source": "local", "path": "./"}, "version": "0.1.0"}
    author.put(
        {
            "gemini-extension.json": '{"name": "demo", "version": "0.1.0"}',
            ".codex-plugin/plugin.json": '{"name": "demo", "version": "0.2.0"}',
            ".cursor-plugin/plugin.json": '{"name": "demo", "version": "0.3.0"}',
            ".agents/plugins/marketplace.json": json.dumps({"name": "m", "plugins": [entry]}),
            "pisces.toml": '[build]\nformat = "claude-plugin"\nversion = "package.json"\n',
        }
    )
    found = author.json("build")
    assert {each["path"] for each in found["edits"]} == {
        ".claude-plugin/plugin.json",
        "gemini-extension.json",
        ".codex-plugin/plugin.json",
        ".cursor-plugin/plugin.json",
        ".agents/plugins/marketplace.json",
    }
    assert found["edits"][0]["path"] == ".claude-plugin/plugin.json"
    assert author.json("build")["edits"] == []


def test_a_marketplace_that_lists_what_is_built_gets_it_too(author: Author) -> None:
    entry = {"name": "demo", "source": "./dist/gemini", "version": "0.1.0"}
    market = {"name": "m", "owner": {"name": "x"}, "plugins": [entry]}
    author.put({".claude-plugin/marketplace.json": json.dumps(market)})
    assert ("/plugins/0/version", "1.3.0") in [
        (each["pointer"], each["after"]) for each in author.json("build")["edits"]
    ]


def test_a_manifest_without_a_version_gets_none(author: Author) -> None:
    manifest = '{"name": "demo", "description": "Demo"}'
    author.put({".claude-plugin/plugin.json": manifest})
    author.pisces("build")
    assert (author.folder / ".claude-plugin/plugin.json").read_text() == manifest
    assert json.loads((author.out / "gemini-extension.json").read_text())["version"] == "1.3.0"


def test_other_files_get_it_where_the_author_names_them_and_some_are_left_alone(author: Author) -> None:
    config = CONFIG.replace(
        "\n[build.targets]",
        'version-files = ["site/app.json#/meta/versions/1"]\nversion-except = [".claude-plugin/*"]\n[build.targets]',
    )
    author.put({"pisces.toml": config, "site/app.json": '{"meta": {"versions": ["a", "0.1.0"]}}'})
    assert [each["path"] for each in author.json("build")["edits"]] == ["site/app.json"]
    assert (author.folder / "site/app.json").read_text() == '{"meta": {"versions": ["a", "1.3.0"]}}'


def test_a_named_place_that_is_not_there_is_a_mistake(author: Author) -> None:
    author.put(
        {"pisces.toml": CONFIG.replace("\n[build.targets]", 'version-files = ["package.json#/no"]\n[build.targets]')}
    )
    status, said = author.pisces("build")
    assert (status, "build-config" in said, "`/no`" in said) == (1, True, True)


@pytest.mark.parametrize("tag", ["v2.5.0", "2.5.0", "demo-v2.5.0", "demo@2.5.0", "release/2.5.0"])
def test_a_git_tag_is_a_version(author: Author, tag: str) -> None:
    author.put({"pisces.toml": CONFIG.replace("package.json", "git-tag")})
    author.committed()
    author.git("tag", tag)
    assert author.pisces("build")[0] == 0
    assert json.loads((author.folder / ".claude-plugin/plugin.json").read_text())["version"] == "2.5.0"


def test_without_a_tag_the_likely_cause_is_named(author: Author) -> None:
    author.put({"pisces.toml": CONFIG.replace("package.json", "git-tag")})
    author.committed()
    status, said = author.pisces("build")
    assert (status, "build-version" in said, "fetch-depth: 0" in said) == (1, True, True)


def test_a_folder_that_is_no_repository_has_no_tag(author: Author) -> None:
    author.put({"pisces.toml": CONFIG.replace("package.json", "git-tag")})
    status, said = author.pisces("build")
    assert (status, "build-git" in said) == (1, True)


@pytest.mark.parametrize("version", ["$(touch x)", "1.0 `id`", "1.0\n", '1"', "../1", "-rf", "", "1" * 200, "1;2"])
def test_a_version_that_is_none_is_written_nowhere(author: Author, version: str) -> None:
    author.put({"package.json": json.dumps({"name": "demo", "version": version})})
    before = tree(author.folder)
    status, said = author.pisces("build")
    assert (status, "build-version" in said) == (1, True)
    assert tree(author.folder) == before


@pytest.mark.parametrize("text", ["{", "[]", "null", '{"version": 3}', "\0"])
def test_a_source_of_the_version_that_says_none_is_refused(author: Author, text: str) -> None:
    author.put({"package.json": text})
    status, said = author.pisces("build")
    assert (status, "build-version" in said) == (1, True)


def test_a_version_that_not_every_program_can_compare_is_a_warning(author: Author) -> None:
    author.put({"package.json": '{"version": "1.4"}'})
    status, said = author.pisces("build")
    assert (status, "build-version-form" in said) == (0, True)


def test_without_a_declared_one_each_manifest_says_its_own(author: Author) -> None:
    author.put({"pisces.toml": '[build]\ntargets = ["gemini"]\n'})
    assert author.json("build")["edits"] == []
    assert json.loads((author.out / "gemini-extension.json").read_text())["version"] == "1.2.3"


def test_a_version_source_that_is_none_says_what_it_can_be(author: Author) -> None:
    author.put({"pisces.toml": CONFIG.replace('"package.json"', '"tag"')})
    status, said = author.pisces("build")
    assert status != 0
    assert "`git-tag`" in said
