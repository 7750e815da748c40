"""GitHub releases, from a small GitHub on loopback: what is chosen, where the token goes, what goes wrong."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic, PiscesError
from pisces.packages.fetching import Fetched, fetch, newest, pinned
from pisces.packages.fetching.github_api import chosen_asset, node_arch
from pisces.packages.fetching.source import PackageSource, parse_source
from pisces.packages.fetching.token import api_of, token_for
from pisces.places import Places
from tests.packages.repositories import MANIFEST, git, needs_git, repository
from tests.packages.servers import Answer, Asked, Server, as_json, fake_github, serving

TOKEN = "ghp_0123456789abcdef"
RELEASES = "/repos/o/kit/releases"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(str(tmp_path), str(tmp_path), {"PATH": os.environ.get("PATH", os.defpath)})


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    (tmp_path / "stage").mkdir()
    return tmp_path / "stage"


def tarball(top: str = "", text: str = MANIFEST) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        header = tarfile.TarInfo(f"{top}gemini-extension.json")
        header.size = len(text)
        archive.addfile(header, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue())


def release(tag: str, *assets: str, **more: Any) -> dict[str, Any]:
    return {
        "tag_name": tag,
        "prerelease": False,
        "assets": [{"name": name, "url": "{url}/assets/" + name} for name in assets],
        "tarball_url": "{url}/tarball/" + tag,
        "zipball_url": "{url}/zipball/" + tag,
        **more,
    }


def at(server: Server, places: Places, **env: str) -> Places:
    there = {"GITHUB_API_URL": server.url, "GITHUB_SERVER_URL": server.url}
    return places.replace(env={**places.env, **there, **env})


def fetched(text: str, stage: Path, places: Places, ref: str = "", *, pre_release: bool = False) -> Fetched:
    source = parse_source(text, places, ref=ref, pre_release=pre_release)
    return fetch(source, str(stage), places, lambda _line: None)


def manifest(found: Fetched) -> str:
    return (Path(found.folder) / "gemini-extension.json").read_text("utf-8")


def test_the_only_file_of_the_latest_release_is_taken(stage: Path, places: Places) -> None:
    pages = {f"{RELEASES}/latest": as_json(release("v2", "kit.tar.gz")), "/assets/kit.tar.gz": Answer(200, tarball())}
    with fake_github(pages) as server:
        found = fetched("o/kit", stage, at(server, places))
        assert server.paths() == [f"{RELEASES}/latest", "/assets/kit.tar.gz"]
        assert server.asked[1].headers["accept"] == "application/octet-stream"
    assert (manifest(found), found.tag, found.commit) == (MANIFEST, "v2", "")
    assert found.source.kind == "github-release"
    assert pinned(found).ref == "v2"


def test_without_a_file_the_source_archive_is_taken(stage: Path, places: Places) -> None:
    pages = {f"{RELEASES}/latest": as_json(release("v2")), "/tarball/v2": Answer(200, tarball("o-kit-abc123/"))}
    with fake_github(pages) as server:
        assert manifest(fetched("o/kit", stage, at(server, places))) == MANIFEST


def test_a_tag_is_asked_for_by_name(stage: Path, places: Places) -> None:
    pages = {f"{RELEASES}/tags/v1": as_json(release("v1", "kit.tgz")), "/assets/kit.tgz": Answer(200, tarball())}
    with fake_github(pages) as server:
        found = fetched("o/kit", stage, at(server, places), "v1")
        assert found.tag == "v1"
        assert not newest(found.source, "", "v1", at(server, places)).changed
        assert len(server.asked) == 2


def test_pre_releases_are_taken_when_asked_for(stage: Path, places: Places) -> None:
    newer = [release("v3-beta", "kit.tgz", prerelease=True)]
    pages = {f"{RELEASES}?per_page=1": as_json(newer), "/assets/kit.tgz": Answer(200, tarball())}
    with fake_github(pages) as server:
        assert fetched("o/kit", stage, at(server, places), pre_release=True).tag == "v3-beta"
        assert len(server.asked) == 2


def test_a_repository_with_pre_releases_only_gives_one(stage: Path, places: Places) -> None:
    newer = [release("v3-beta", "kit.tgz", prerelease=True)]
    pages = {f"{RELEASES}?per_page=1": as_json(newer), "/assets/kit.tgz": Answer(200, tarball())}
    with fake_github(pages) as server:
        found = fetched("o/kit", stage, at(server, places))
        server.asked.clear()
        assert not newest(found.source, "", found.tag, at(server, places)).changed
        assert len(server.asked) == 1


def test_newest_asks_once(places: Places) -> None:
    with fake_github({f"{RELEASES}/latest": as_json(release("v2"))}) as server:
        source = PackageSource("github-release", f"{server.url}/o/kit")
        assert newest(source, "", "v1", at(server, places)).tag == "v2"
        assert not newest(source, "", "v2", at(server, places)).changed
        assert len(server.asked) == 2


@needs_git
@pytest.mark.parametrize("ref", ["", "v1"])
def test_without_any_release_the_repository_is_cloned(ref: str, tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "o" / "kit")
    git(made, "tag", "v1")
    pages = {f"{RELEASES}?per_page=1": as_json([])}
    with fake_github(pages, tmp_path / "host") as server:
        found = fetched("o/kit", stage, at(server, places), ref)
    assert manifest(found) == MANIFEST
    assert found.source.kind == "git"
    assert found.commit == git(made, "rev-parse", "HEAD")


@needs_git
def test_a_commit_is_cloned_without_asking_for_releases(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "o" / "kit")
    head = git(made, "rev-parse", "HEAD")
    with fake_github({}, tmp_path / "host") as server:
        assert fetched("o/kit", stage, at(server, places), head).commit == head
        assert not any(path.startswith("/repos") for path in server.paths())


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["linux.x64.kit.tar.gz", "linux.kit.tar.gz", "kit.zip"], "linux.x64.kit.tar.gz"),
        (["darwin.arm64.kit.zip", "Linux.X64.kit.zip"], "Linux.X64.kit.zip"),
        (["linux.arm64.kit.zip", "linux.kit.zip"], "linux.arm64.kit.zip"),
        (["linux.kit.zip", "darwin.kit.zip"], "linux.kit.zip"),
        (["linux.first.zip", "linux.second.zip"], "linux.first.zip"),
        (["kit.zip"], "kit.zip"),
        (["kit-darwin.zip"], ""),
        (["kit-linux.zip"], ""),
        (["kit.zip", "kit.tar.gz"], ""),
        (["win32.x64.kit.zip"], ""),
        ([], ""),
    ],
)
def test_files_are_chosen_as_gemini_cli_does(names: list[str], expected: str) -> None:
    assert chosen_asset(names, "linux", "x64") == expected


@pytest.mark.parametrize(
    ("machine", "name"), [("x86_64", "x64"), ("AMD64", "x64"), ("aarch64", "arm64"), ("armv7l", "arm")]
)
def test_processors_have_the_names_of_node(machine: str, name: str) -> None:
    assert node_arch(machine) == name


def test_a_release_for_other_machines_only_says_so(stage: Path, places: Places) -> None:
    only = release("v1", "plan9.mips.kit.zip", "plan9.kit.zip", tarball_url=None, zipball_url=None)
    with fake_github({f"{RELEASES}/latest": as_json(only)}) as server, pytest.raises(PiscesError) as refusal:
        fetched("o/kit", stage, at(server, places))
    assert refusal.value.diagnostic.code == "github-no-asset"
    assert "plan9.kit.zip" in refusal.value.diagnostic.message


def refusal_of(answer: Answer, stage: Path, places: Places, **env: str) -> Diagnostic:
    with fake_github({f"{RELEASES}/latest": answer}) as server, pytest.raises(PiscesError) as refusal:
        fetched("o/kit", stage, at(server, places, **env))
    assert not list(stage.iterdir())
    return refusal.value.diagnostic


def test_a_used_up_rate_limit_says_when_it_ends_and_what_helps(stage: Path, places: Places) -> None:
    limits = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1893456000"}
    found = refusal_of(as_json({"message": "API rate limit exceeded"}, 403, **limits), stage, places)
    assert found.code == "github-refused"
    assert "2030" in found.message
    assert "GITHUB_TOKEN" in found.hint
    found = refusal_of(as_json({}, 429, retry_after="60"), stage, places, GITHUB_TOKEN=TOKEN)
    assert "GITHUB_TOKEN" not in found.hint


def test_a_token_that_expired_is_named_but_not_shown(stage: Path, places: Places) -> None:
    answer = as_json({"message": f"Bad credentials \x1b[31m{TOKEN}"}, 401)
    found = refusal_of(answer, stage, places, GITHUB_TOKEN=TOKEN)
    assert "expired" in found.hint
    assert TOKEN not in str(found)
    assert "\x1b" not in found.message


@pytest.mark.parametrize(
    "answer",
    [
        as_json({"message": "Forbidden"}, 403),
        Answer(500, b"oops"),
        Answer(200, b"<html>"),
        as_json([]),
        as_json({"tag_name": 5}),
        as_json("text"),
        Answer(200, b'{"tag_name": "v1"', claimed=500),
    ],
)
def test_answers_that_are_no_release_are_errors(answer: Answer, stage: Path, places: Places) -> None:
    assert refusal_of(answer, stage, places).severity == "error"


def test_a_file_that_was_cut_off_is_refused(stage: Path, places: Places) -> None:
    cut = Answer(200, tarball()[:40], claimed=len(tarball()))
    pages = {f"{RELEASES}/latest": as_json(release("v2", "kit.tgz")), "/assets/kit.tgz": cut}
    with fake_github(pages) as server, pytest.raises(PiscesError, match="ended after 40"):
        fetched("o/kit", stage, at(server, places))
    assert not list(stage.iterdir())


def test_addresses_that_are_not_on_the_web_are_refused(stage: Path, places: Places) -> None:
    odd = release("v1")
    odd["assets"] = [{"name": "kit.zip", "url": "file:///etc/passwd"}]
    with fake_github({f"{RELEASES}/latest": as_json(odd)}) as server, pytest.raises(PiscesError):
        fetched("o/kit", stage, at(server, places))


def test_the_token_goes_to_the_api_and_not_where_it_redirects(stage: Path, places: Places) -> None:
    with serving(lambda _asked, _server: Answer(200, tarball())) as storage:
        moved = Answer(302, b"", {"Location": f"{storage.url}/signed?permission=secret"})
        pages = {f"{RELEASES}/latest": as_json(release("v2", "kit.tgz")), "/assets/kit.tgz": moved}
        with fake_github(pages) as server:
            fetched("o/kit", stage, at(server, places, GITHUB_TOKEN=TOKEN))
        assert [each.headers.get("authorization") for each in server.asked] == [f"Bearer {TOKEN}"] * 2
        assert "authorization" not in storage.asked[0].headers


def test_the_token_does_not_come_back_after_a_redirect_elsewhere(stage: Path, places: Places) -> None:
    """A host that is not the token's must not be able to send us to one that is, with the token."""
    with fake_github({"/kit.zip": Answer(200, tarball())}) as server:

        def back(_asked: Asked, _server: Server) -> Answer:
            return Answer(302, b"", {"Location": f"{server.url}/kit.zip"})

        with serving(back) as elsewhere:
            source = PackageSource("archive", f"{elsewhere.url}/kit.zip")
            fetch(source, str(stage), at(server, places, GITHUB_TOKEN=TOKEN), lambda _line: None)
        assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize(
    ("url", "env", "sent"),
    [
        ("https://github.com/o/r", {}, True),
        ("https://api.github.com/repos/o/r", {}, True),
        ("http://github.com/o/r", {}, False),
        ("https://github.com.evil.example/o/r", {}, False),
        ("https://codeload.github.com/o/r", {}, False),
        ("https://github.com:8443/o/r", {}, False),
        ("https://ghe.example/o/r", {"GITHUB_SERVER_URL": "https://ghe.example"}, True),
        ("https://ghe.example/api/v3", {"GITHUB_API_URL": "https://ghe.example/api/v3"}, True),
        ("http://ghe.example/o/r", {"GITHUB_SERVER_URL": "http://ghe.example"}, False),
        ("https://github.com/o/r", {"GITHUB_SERVER_URL": "https://ghe.example"}, False),
    ],
)
def test_the_hosts_of_the_token(url: str, env: dict[str, str], sent: bool) -> None:
    assert bool(token_for(url, {"GH_TOKEN": TOKEN, **env})) is sent


def test_a_token_with_a_line_break_is_not_sent() -> None:
    assert token_for("https://github.com/o/r", {"GITHUB_TOKEN": "a\r\nX-Evil: b"}) == ""


def test_the_api_of_an_enterprise_server_is_taken_from_the_environment() -> None:
    env = {"GITHUB_SERVER_URL": "https://ghe.example", "GITHUB_API_URL": "https://ghe.example/api/v3/"}
    assert api_of("https://ghe.example/o/r", env) == "https://ghe.example/api/v3"
    assert api_of("https://github.com/o/r", env) == "https://api.github.com"
    assert api_of("https://github.com/o/r", {}) == "https://api.github.com"
    assert api_of("https://github.com/o/r", {"GITHUB_API_URL": "https://proxy.example"}) == "https://proxy.example"
