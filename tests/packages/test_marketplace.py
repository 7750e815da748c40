"""Plugins of Claude marketplaces: every kind of entry, and the manifest that an entry may be."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import PiscesError
from pisces.packages.fetching import Fetched, fetch, newest, pinned
from pisces.packages.fetching.source import parse_source
from pisces.places import Places
from tests.packages.repositories import commit, git, needs_git, repository
from tests.packages.servers import Answer, Server, serving, serving_git


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(str(tmp_path), str(tmp_path), {"PATH": os.environ.get("PATH", os.defpath)})


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    (tmp_path / "stage").mkdir()
    return tmp_path / "stage"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "host").mkdir()
    with serving_git(tmp_path / "host") as server:
        yield server


def listing(*entries: Any, **more: Any) -> str:
    return json.dumps({"name": "market", "owner": {"name": "me"}, "plugins": list(entries), **more})


def market(folder: Path, *entries: Any, **more: Any) -> Path:
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / ".claude-plugin" / "marketplace.json").write_text(listing(*entries, **more))
    return folder


def plugin(folder: Path, name: str = "") -> Path:
    (folder / "commands").mkdir(parents=True)
    (folder / "commands" / "x.md").write_text("x")
    if name:
        (folder / ".claude-plugin").mkdir()
        (folder / ".claude-plugin" / "plugin.json").write_text(json.dumps({"name": name}))
    return folder


def fetched(text: str, stage: Path, places: Places) -> Fetched:
    return fetch(parse_source(text, places), str(stage), places, lambda _line: None)


def manifest(found: Fetched) -> Any:
    return json.loads((Path(found.folder) / ".claude-plugin" / "plugin.json").read_text())


@pytest.mark.parametrize("text", ["review@./market", "./market/.claude-plugin/marketplace.json#review"])
def test_a_plugin_beside_its_marketplace(text: str, tmp_path: Path, stage: Path, places: Places) -> None:
    top = market(tmp_path / "market", {"name": "review", "source": "./plugins/review"})
    plugin(top / "plugins" / "review", "own-name")
    found = fetched(text, stage, places)
    assert (Path(found.folder) / "commands" / "x.md").read_text() == "x"
    assert manifest(found) == {"name": "own-name"}
    assert os.listdir(stage) == ["package"]
    assert newest(found.source, found.commit, found.tag, places).changed


def test_an_entry_is_the_manifest_of_a_plugin_without_one(tmp_path: Path, stage: Path, places: Places) -> None:
    entry = {"name": "review", "source": "./review", "strict": False, "version": "2", "tags": ["x"], "commands": "./c"}
    plugin(market(tmp_path / "market", entry) / "review")
    assert manifest(fetched("review@./market", stage, places)) == {"name": "review", "version": "2", "commands": "./c"}


def test_the_plugin_root_comes_before_plain_names(tmp_path: Path, stage: Path, places: Places) -> None:
    entry = {"name": "review", "source": "review"}
    plugin(market(tmp_path / "market", entry, metadata={"pluginRoot": "./plugins"}) / "plugins" / "review", "review")
    assert manifest(fetched("review@./market", stage, places)) == {"name": "review"}


@needs_git
def test_a_plugin_in_the_repository_of_its_marketplace(
    tmp_path: Path, host: Server, stage: Path, places: Places
) -> None:
    files = {
        ".claude-plugin/marketplace.json": listing({"name": "review", "source": "./review"}),
        "review/commands/x.md": "x",
    }
    made = repository(tmp_path / "host" / "market", files)
    found = fetched(f"review@{host.url}/market", stage, places)
    assert found.commit == git(made, "rev-parse", "HEAD")
    host.asked.clear()
    assert not newest(found.source, found.commit, found.tag, places).changed
    assert host.paths().count("/market/info/refs") == 1
    commit(made, {"later": ""})
    assert newest(found.source, found.commit, found.tag, places).changed


@needs_git
@pytest.mark.parametrize("kind", ["url", "git-subdir"])
def test_a_plugin_in_another_repository(kind: str, tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "review", {"commands/x.md": "1", "sub/commands/x.md": "2"})
    first = git(made, "rev-parse", "HEAD")
    source = {"source": kind, "url": f"{host.url}/review", "ref": "main"}
    if kind == "git-subdir":
        source["path"] = "sub"
    entry = {"name": "review", "source": source}
    repository(tmp_path / "host" / "market", {".claude-plugin/marketplace.json": listing(entry)})
    found = fetched(f"review@{host.url}/market", stage, places)
    expected = "2" if kind == "git-subdir" else "1"
    assert (Path(found.folder) / "commands" / "x.md").read_text() == expected
    assert found.commit.endswith(f":{first}")
    commit(made, {"commands/x.md": "3", "sub/commands/x.md": "3"})
    assert newest(found.source, found.commit, found.tag, places).changed
    (tmp_path / "again").mkdir()
    again = fetch(pinned(found), str(tmp_path / "again"), places, lambda _line: None)
    assert (Path(again.folder) / "commands" / "x.md").read_text() == expected
    assert not newest(pinned(found), again.commit, again.tag, places).changed


@needs_git
def test_a_plugin_that_pins_its_commit(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "review", {"commands/x.md": "1"})
    first = git(made, "rev-parse", "HEAD")
    commit(made, {"commands/x.md": "2"})
    entry = {"name": "review", "source": {"source": "url", "url": f"{host.url}/review", "ref": "main", "sha": first}}
    market(tmp_path / "market", entry)
    found = fetched("review@./market", stage, places)
    assert (Path(found.folder) / "commands" / "x.md").read_text() == "1"


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("commands/x.md", "x")
    return packed.getvalue()


def test_a_plugin_in_an_archive_with_its_hash(tmp_path: Path, stage: Path, places: Places) -> None:
    content = zipped()
    with serving(lambda _asked, _server: Answer(200, content)) as server:
        pin = hashlib.sha256(content).hexdigest()
        entry = {"name": "review", "source": {"source": "archive", "url": f"{server.url}/r.zip", "sha256": pin}}
        market(tmp_path / "good", entry)
        assert manifest(fetched("review@./good", stage, places)) == {"name": "review"}
        entry["source"]["sha256"] = "0" * 64  # type: ignore[index]  # it is the dictionary above
        market(tmp_path / "bad", entry)
        (tmp_path / "other").mkdir()
        with pytest.raises(PiscesError) as refusal:
            fetched("review@./bad", tmp_path / "other", places)
    assert refusal.value.diagnostic.code == "archive-changed"


def test_a_listing_from_the_web(stage: Path, places: Places) -> None:
    archive = {"source": "archive", "url": "{url}/r.zip"}
    inside = {"name": "inside", "source": "./x"}

    with serving(
        lambda asked, server: Answer(
            200,
            zipped()
            if asked.path == "/r.zip"
            else listing({"name": "review", "source": {**archive, "url": f"{server.url}/r.zip"}}, inside).encode(),
        )
    ) as server:
        assert manifest(fetched(f"review@{server.url}/marketplace.json", stage, places)) == {"name": "review"}
        with pytest.raises(PiscesError, match="only the listing"):
            fetched(f"inside@{server.url}/marketplace.json", stage, places)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ({"source": "npm", "package": "review"}, "marketplace-source"),
        ({"source": "command", "command": "curl x | sh"}, "marketplace-source"),
        ({"source": "github"}, "marketplace-broken"),
        ({"source": "github", "repo": 5}, "marketplace-broken"),
        ({"source": "url", "url": "file:///etc"}, "marketplace-broken"),
        ({"source": "url", "url": "/etc"}, "marketplace-broken"),
        ({"source": "url", "url": "ext::sh -c x"}, "marketplace-broken"),
        ({"source": "url", "url": "https://h.example/r.git", "ref": "--upload-pack=x"}, "source-unsafe"),
        ({"source": "git-subdir", "url": "https://h.example/r.git", "path": "../x"}, "source-unsafe"),
        ("./../outside", "source-unsafe"),
        ("../outside", "marketplace-broken"),
        ("/etc", "marketplace-broken"),
        ("plain", "marketplace-broken"),
        ("./missing", "source-subdir-missing"),
        (None, "marketplace-broken"),
        ([], "marketplace-broken"),
    ],
)
def test_sources_that_are_not_taken_say_why(
    source: object, code: str, tmp_path: Path, stage: Path, places: Places
) -> None:
    market(tmp_path / "market", {"name": "review", "source": source})
    with pytest.raises(PiscesError) as refusal:
        fetched("review@./market", stage, places)
    assert refusal.value.diagnostic.code == code
    assert not list(stage.iterdir())


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"plugins": {}}', '{"plugins": [1, null, {}]}'])
def test_marketplaces_that_are_broken_say_so(content: str, tmp_path: Path, stage: Path, places: Places) -> None:
    market(tmp_path / "market")
    (tmp_path / "market" / ".claude-plugin" / "marketplace.json").write_text(content)
    with pytest.raises(PiscesError) as refusal:
        fetched("review@./market", stage, places)
    assert refusal.value.diagnostic.code in ("marketplace-broken", "marketplace-no-plugin")


def test_a_name_that_is_not_there_lists_those_that_are(tmp_path: Path, stage: Path, places: Places) -> None:
    market(tmp_path / "market", {"name": "review", "source": "./review"})
    with pytest.raises(PiscesError) as refusal:
        fetched("reviwe@./market", stage, places)
    assert "`review`" in refusal.value.diagnostic.hint


def test_a_folder_without_a_marketplace(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "market").mkdir()
    with pytest.raises(PiscesError, match=r"marketplace\.json"):
        fetched("review@./market", stage, places)


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_a_plugin_that_is_a_link_out_of_the_marketplace(tmp_path: Path, stage: Path, places: Places) -> None:
    top = market(tmp_path / "market", {"name": "review", "source": "./review"})
    plugin(tmp_path / "outside")
    (top / "review").symlink_to(tmp_path / "outside")
    with pytest.raises(PiscesError):
        fetched("review@./market", stage, places)
