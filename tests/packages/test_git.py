"""Real git repositories, over loopback http and file URLs: what arrives, what is recorded, what is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.packages.fetching import Fetched, fetch, newest, pinned
from pisces.packages.fetching.git_process import received
from pisces.packages.fetching.source import PackageSource
from pisces.packages.fetching.token import basic
from pisces.places import Places
from tests.packages.repositories import MANIFEST, commit, git, needs_git, repository
from tests.packages.servers import Answer, Asked, Server, git_backend, serving, serving_git

pytestmark = needs_git


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "home").mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path), {"PATH": os.environ.get("PATH", os.defpath)})


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    (tmp_path / "stage").mkdir()
    return tmp_path / "stage"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "host").mkdir()
    with serving_git(tmp_path / "host") as server:
        yield server


def fetched(source: PackageSource, stage: Path, places: Places) -> Fetched:
    return fetch(source, str(stage), places, lambda _line: None)


def files(folder: str | Path) -> dict[str, str]:
    top = Path(folder)
    return {file.relative_to(top).as_posix(): file.read_text("utf-8") for file in top.rglob("*") if file.is_file()}


def everything(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_a_repository_arrives_without_its_history(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "kit")
    head = commit(made, {"commands/x.toml": 'prompt = "x"'})
    found = fetched(PackageSource("git", f"{host.url}/kit"), stage, places)
    assert files(found.folder) == {"gemini-extension.json": MANIFEST, "commands/x.toml": 'prompt = "x"'}
    assert (found.commit, found.tag) == (head, "")
    assert not list(stage.rglob(".git"))


def test_only_one_commit_is_fetched(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "kit")
    commit(made, {"big": "x" * 1000})
    fetched(PackageSource("git", f"{host.url}/kit"), stage, places)
    asked = b"".join(each.body for each in host.asked)
    assert b"deepen 1" in asked


def test_progress_is_reported(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    repository(tmp_path / "host" / "kit")
    lines: list[str] = []
    fetch(PackageSource("git", f"{host.url}/kit"), str(stage), places, lines.append)
    assert any("at commit" in line for line in lines)
    assert any("not encrypted" in line for line in lines)


@pytest.mark.parametrize("annotated", [True, False])
def test_tags_are_looked_through_to_their_commit(
    annotated: bool, tmp_path: Path, host: Server, stage: Path, places: Places
) -> None:
    made = repository(tmp_path / "host" / "kit")
    head = git(made, "rev-parse", "HEAD")
    git(made, "tag", *(["-a", "-m", "one"] if annotated else []), "v1")
    commit(made, {"later": ""})
    source = PackageSource("git", f"{host.url}/kit", "v1")
    found = fetched(source, stage, places)
    assert (found.commit, found.tag) == (head, "v1")
    assert not newest(source, found.commit, found.tag, places).changed


def test_a_branch_with_slashes(tmp_path: Path, stage: Path, places: Places, host: Server) -> None:
    made = repository(tmp_path / "host" / "kit")
    git(made, "checkout", "--quiet", "-b", "feature/x")
    head = commit(made, {"x": "on the branch"})
    git(made, "checkout", "--quiet", "main")
    found = fetched(PackageSource("git", f"{host.url}/kit", "feature/x"), stage, places)
    assert found.commit == head
    assert (Path(found.folder) / "x").exists()


def test_an_exact_commit_is_fetched_by_its_hash(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "kit")
    first = git(made, "rev-parse", "HEAD")
    commit(made, {"later": ""})
    found = fetched(PackageSource("git", f"{host.url}/kit", first), stage, places)
    assert found.commit == first
    assert "later" not in files(found.folder)


def test_a_short_commit_is_found_in_the_whole_history(
    tmp_path: Path, host: Server, stage: Path, places: Places
) -> None:
    made = repository(tmp_path / "host" / "kit")
    first = git(made, "rev-parse", "HEAD")
    commit(made, {"later": ""})
    assert fetched(PackageSource("git", f"{host.url}/kit", first[:10]), stage, places).commit == first


def test_a_host_that_gives_no_single_commits(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "kit")
    first = git(made, "rev-parse", "HEAD")
    commit(made, {"later": ""})
    git(made, "update-server-info")

    def dumb(asked: Asked, _server: Server) -> Answer:
        file = made / ".git" / asked.path.removeprefix("/kit/")
        return Answer(200, file.read_bytes()) if file.is_file() else Answer(404)

    with serving(dumb) as server:
        assert fetched(PackageSource("git", f"{server.url}/kit", first), stage, places).commit == first


def test_what_was_pinned_is_fetched_again(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "kit")
    found = fetched(PackageSource("git", f"{host.url}/kit"), stage, places)
    before = files(found.folder)
    commit(made, {"gemini-extension.json": "{}"})
    (tmp_path / "again").mkdir()
    again = fetched(pinned(found), tmp_path / "again", places)
    assert (again.commit, files(again.folder)) == (found.commit, before)


def test_newest_asks_once_and_sees_a_new_commit(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "host" / "kit")
    source = PackageSource("git", f"{host.url}/kit")
    found = fetched(source, stage, places)
    host.asked.clear()
    assert not newest(source, found.commit, found.tag, places).changed
    assert host.paths().count("/kit/info/refs") == 1
    head = commit(made, {"later": ""})
    assert newest(source, found.commit, found.tag, places).commit == head


def test_newest_of_a_commit_asks_nobody(host: Server, places: Places) -> None:
    assert not newest(PackageSource("git", f"{host.url}/kit", "a" * 40), "a" * 40, "", places).changed
    assert not host.asked


def test_newest_says_when_the_branch_is_gone(tmp_path: Path, host: Server, places: Places) -> None:
    repository(tmp_path / "host" / "kit")
    with pytest.raises(PiscesError, match="not there any more"):
        newest(PackageSource("git", f"{host.url}/kit", "gone"), "a" * 40, "", places)


def test_a_folder_of_a_monorepo(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "mono", {"plugins/a/SKILL.md": "a", "plugins/b/SKILL.md": "b", "README.md": ""})
    found = fetched(PackageSource("git", f"file://{made}", subdir="plugins/a"), stage, places)
    assert files(found.folder) == {"SKILL.md": "a"}
    assert "b" not in {name for each in os.walk(stage) for name in each[1]}


def test_a_folder_that_is_not_there(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit")
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"file://{made}", subdir="plugins/a"), stage, places)
    assert refusal.value.diagnostic.code == "source-subdir-missing"
    assert not list(stage.iterdir())


def test_submodules_arrive_with_their_submodules(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    repository(tmp_path / "host" / "inner", {"deep.md": "deep"})
    middle = repository(tmp_path / "host" / "middle", {"mid.md": "mid"})
    made = repository(tmp_path / "host" / "kit")
    _add_submodule(middle, "../inner", f"{host.url}/inner", "inner")
    _add_submodule(made, f"{host.url}/middle", f"{host.url}/middle", "vendor/middle")
    found = fetched(PackageSource("git", f"{host.url}/kit"), stage, places)
    got = files(found.folder)
    assert got["vendor/middle/mid.md"] == "mid"
    assert got["vendor/middle/inner/deep.md"] == "deep"
    assert not list(stage.rglob(".git"))


def _add_submodule(made: Path, url: str, real: str, path: str) -> None:
    """As `git submodule add`, without fetching."""
    head = git(made, "ls-remote", real, "HEAD").split()[0]
    git(made, "update-index", "--add", "--cacheinfo", f"160000,{head},{path}")
    (made / ".gitmodules").write_text(f'[submodule "{path}"]\n\tpath = {path}\n\turl = {url}\n')
    git(made, "add", ".gitmodules")
    git(made, "commit", "--quiet", "-m", "submodule")


@pytest.mark.parametrize("url", ["file://{folder}/secret", "{folder}/secret", "ext::sh -c touch% {folder}/pwned"])
def test_submodules_from_this_machine_are_refused(
    url: str, tmp_path: Path, host: Server, stage: Path, places: Places
) -> None:
    secret = repository(tmp_path / "secret", {"secret.md": "secret"})
    made = repository(tmp_path / "host" / "kit")
    _add_submodule(made, url.format(folder=tmp_path), str(secret), "vendor")
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"{host.url}/kit"), stage, places)
    assert refusal.value.diagnostic.code == "git-submodule-refused"
    assert not list(stage.iterdir())
    assert not (tmp_path / "pwned").exists()


def test_hooks_templates_and_filters_of_the_user_do_not_run(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit", {".gitattributes": "* filter=evil\n*.md filter=lfs\n", "a.md": "pointer"})
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\n")
    (hooks / "post-checkout").chmod(0o755)
    evil = f'[filter "evil"]\n\tsmudge = touch {tmp_path}/pwned\n[filter "lfs"]\n\tsmudge = touch {tmp_path}/pwned\n'
    moved = f'[core]\n\thooksPath = {hooks}\n[url "file:///elsewhere"]\n\tinsteadOf = file://{made}\n'
    (Path(places.home) / ".gitconfig").write_text(evil + moved)
    found = fetched(PackageSource("git", f"file://{made}"), stage, places)
    assert files(found.folder)["a.md"] == "pointer"
    assert not (tmp_path / "pwned").exists()


def test_bytes_arrive_as_they_are_stored(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit", {"a.txt": "$Id$\r\nend\n"})
    head = commit(made, {".gitattributes": "*.txt ident eol=crlf text=auto\n"})
    found = fetched(PackageSource("git", f"file://{made}", head), stage, places)
    stored = git(made, "cat-file", "blob", f"{head}:a.txt").encode()
    assert (Path(found.folder) / "a.txt").read_bytes().strip() == stored


@pytest.mark.skipif(os.name == "nt", reason="links are plain files there")
def test_a_link_out_of_the_tree_is_refused(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit")
    (made / "notes.md").symlink_to("../../../etc/passwd")
    commit(made, {})
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"file://{made}"), stage, places)
    assert refusal.value.diagnostic.code == "tree-link-escapes"
    assert not list(stage.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="links are plain files there")
def test_a_link_that_stays_inside_is_kept(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit", {"docs/a.md": "a"})
    (made / "b.md").symlink_to("docs/a.md")
    commit(made, {})
    found = fetched(PackageSource("git", f"file://{made}"), stage, places)
    assert os.readlink(Path(found.folder) / "b.md") == "docs/a.md"


def test_names_that_differ_in_capitals_only_are_refused(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit")
    blob = git(made, "hash-object", "-w", "--stdin", given=b"x")
    git(made, "update-index", "--add", "--cacheinfo", f"100644,{blob},a.md", "--cacheinfo", f"100644,{blob},A.md")
    git(made, "commit", "--quiet", "-m", "clash")
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"file://{made}"), stage, places)
    assert refusal.value.diagnostic.code == "tree-name-clash"


def test_a_small_repository_with_a_million_files_is_refused(tmp_path: Path, stage: Path, places: Places) -> None:
    made = repository(tmp_path / "kit")
    entry = git(made, "hash-object", "-w", "--stdin", given=b"x")
    kind = "100644 blob"
    for _level in range(3):
        listing = "".join(f"{kind} {entry}\t{number:03}\n" for number in range(100))
        entry = git(made, "mktree", given=listing.encode())
        kind = "040000 tree"
    head = git(made, "commit-tree", entry, "-m", "bomb")
    git(made, "update-ref", "refs/heads/bomb", head)
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"file://{made}", "bomb"), stage, places)
    assert refusal.value.diagnostic.code == "tree-too-large"
    assert not list(stage.iterdir())


@pytest.mark.parametrize("ref", ["missing", "a" * 40])
def test_a_ref_that_is_not_there(ref: str, tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    repository(tmp_path / "host" / "kit")
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"{host.url}/kit", ref), stage, places)
    assert refusal.value.diagnostic.code == "git-failed"
    assert not list(stage.iterdir())


def test_a_repository_that_is_not_there(host: Server, stage: Path, places: Places) -> None:
    with pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"{host.url}/missing"), stage, places)
    assert "check the address" in refusal.value.diagnostic.hint


@pytest.mark.parametrize("location", ["--upload-pack=touch pwned", "ext::sh -c touch% pwned", "/x/../y"])
def test_locations_that_are_no_repository_run_nothing(location: str, stage: Path, places: Places) -> None:
    with pytest.raises(PiscesError):
        fetched(PackageSource("git", location), stage, places)
    assert not list(stage.rglob("pwned"))


def test_without_git_the_error_says_so(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(PiscesError) as refusal:
        fetched(
            PackageSource("git", "https://host.example/r.git"),
            stage,
            places.replace(env={"PATH": str(tmp_path / "empty")}),
        )
    assert refusal.value.diagnostic.code == "git-missing"


def test_a_host_that_never_answers_is_left(stage: Path, places: Places) -> None:
    hurried = places.replace(env={**places.env, "PISCES_FETCH_TIMEOUT": "0.5"})
    with (
        serving(lambda _asked, server: Answer(200, b"", {}, server.silence(), 100)) as server,
        pytest.raises(PiscesError, match=r"more than 0\.5 seconds"),
    ):
        fetched(PackageSource("git", f"{server.url}/kit"), stage, hurried)
    assert not list(stage.iterdir())


def test_the_credential_helper_of_the_user_is_asked(tmp_path: Path, stage: Path, places: Places) -> None:
    repository(tmp_path / "host" / "kit")
    helper = '[credential]\n\thelper = "!f() { echo username=x-access-token; echo password=word; }; f"\n'
    (Path(places.home) / ".gitconfig").write_text(helper)
    with serving_git(tmp_path / "host", token=basic("word")) as host:
        assert fetched(PackageSource("git", f"{host.url}/kit"), stage, places).commit


def test_a_git_that_is_too_old_is_not_used(tmp_path: Path, stage: Path, places: Places) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\nexit 1\n")
    (folder / "git").chmod(0o755)
    with pytest.raises(PiscesError, match="too old"):
        fetched(
            PackageSource("git", "https://host.example/r"),
            stage,
            places.replace(env={"PATH": f"{folder}:/bin:/usr/bin"}),
        )


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("Receiving objects:  45% (9/20), 1.50 MiB | 3.00 MiB/s", 3 << 19),
        ("Receiving objects: 100% (9/20), 2.00 GiB | 3.00 MiB/s, done.", 2 << 30),
        ("Receiving objects: 100% (9/20)", 0),
    ],
)
def test_the_progress_of_git_says_how_much_has_come(line: str, size: int) -> None:
    assert received(line) == size


TOKEN = "ghp_0123456789abcdef"


def _private(places: Places, url: str) -> Places:
    return places.replace(env={**places.env, "GITHUB_TOKEN": TOKEN, "GITHUB_SERVER_URL": url})


def test_the_token_opens_a_private_repository_and_is_stored_nowhere(
    tmp_path: Path, stage: Path, places: Places
) -> None:
    repository(tmp_path / "host" / "o" / "kit")
    with serving_git(tmp_path / "host", token=basic(TOKEN)) as host:
        source = PackageSource("git", f"{host.url}/o/kit")
        found = fetched(source, stage, _private(places, host.url))
        assert not newest(source, found.commit, "", _private(places, host.url)).changed
    assert TOKEN.encode() not in everything(tmp_path)
    assert basic(TOKEN).encode() not in everything(tmp_path)


def test_the_token_is_for_its_own_host_only(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    repository(tmp_path / "host" / "kit")
    fetched(PackageSource("git", f"{host.url}/kit"), stage, _private(places, "https://github.corp.example"))
    assert not any("authorization" in each.headers for each in host.asked)


def test_the_token_is_not_shown_in_errors(tmp_path: Path, stage: Path, places: Places) -> None:
    (tmp_path / "host").mkdir()
    with serving_git(tmp_path / "host", token="another") as host, pytest.raises(PiscesError) as refusal:
        fetched(PackageSource("git", f"{host.url}/o/kit"), stage, _private(places, host.url))
    shown = str(refusal.value.diagnostic)
    assert TOKEN not in shown
    assert basic(TOKEN) not in shown


def test_a_repository_that_moved_is_followed_without_the_token(tmp_path: Path, stage: Path, places: Places) -> None:
    repository(tmp_path / "host" / "kit")
    with serving(lambda asked, _server: git_backend(tmp_path / "host", asked)) as new:

        def moved(asked: Asked, _server: Server) -> Answer:
            return Answer(301, b"", {"Location": f"{new.url}{asked.path}?{asked.query}"})

        with serving(moved) as old:
            found = fetched(PackageSource("git", f"{old.url}/kit"), stage, _private(places, old.url))
    assert files(found.folder) == {"gemini-extension.json": MANIFEST}
    assert not any("authorization" in each.headers for each in new.asked)


def test_the_token_is_not_in_the_arguments_of_git(tmp_path: Path, host: Server, stage: Path, places: Places) -> None:
    """A program called git that writes down how it was called, before the real one."""
    repository(tmp_path / "host" / "kit")
    folder, real = tmp_path / "bin", places.env["PATH"]
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nPATH={real} exec git "$@"\n')
    (folder / "git").chmod(0o755)
    watched = places.replace(env={**places.env, "PATH": f"{folder}{os.pathsep}{real}"})
    fetched(PackageSource("git", f"{host.url}/kit"), stage, _private(watched, host.url))
    calls = (tmp_path / "calls").read_text()
    assert "fetch" in calls
    assert TOKEN not in calls
    assert basic(TOKEN) not in calls
