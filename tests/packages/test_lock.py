"""The project file becomes pins: deterministic, portable, and never believed when it is read back."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pisces.diagnostics import PiscesError
from pisces.files import MAX_BYTES
from pisces.packages.install import Installer
from pisces.packages.lock.lock import Locked, Renewal, drift, lock
from pisces.packages.lock.lock_file import read_lock
from pisces.packages.lock.project_file import (
    Project,
    Requirement,
    add_to_project,
    project_here,
    read_requirements,
    requirement_for,
)
from pisces.packages.store.cache import cache_tree, tree_cache, tree_from_cache
from pisces.packages.store.store import own_store
from pisces.packages.store.tree import tree_of
from pisces.places import Places
from pisces.shapes.launch_words import float_of
from tests.gates.judges import deciding
from tests.packages.repositories import commit, git, needs_git, repository

HASH = "sha256:" + "0" * 64
FILE = "file:" + "0" * 64


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "home").mkdir()
    return workplace(tmp_path / "project", tmp_path / "home")


def workplace(folder: Path, home: Path) -> Project:
    (folder / ".pisces").mkdir(parents=True)
    return project_here(Places(str(home), str(folder), {"PATH": os.environ.get("PATH", os.defpath)}))


def shop_for(project: Project) -> Installer:
    return Installer(own_store(project.places), project.places, deciding(lambda _asked: False), lambda _line: None)


def asks(project: Project, text: str) -> None:
    Path(project.file).write_text(text, "utf-8")


def locked(project: Project, *names: str) -> Locked:
    return lock(project, shop_for(project), Renewal(names))


def drifted(project: Project) -> list[str]:
    return [each.message for each in drift(project, shop_for(project))]


def extension(folder: Path, name: str = "kit", **fields: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"name": name, "version": "1.0.0", **fields}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest), "utf-8")
    return folder


def refusal(act: Callable[[], object]) -> PiscesError:
    with pytest.raises(PiscesError) as error:
        act()
    return error.value


def content(project: Project) -> Any:
    return json.loads(Path(project.lock).read_text("utf-8"))


@needs_git
def test_a_repository_is_pinned_to_its_commit_and_every_file(tmp_path: Path, project: Project) -> None:
    made = repository(tmp_path / "kit")
    head = commit(made, {"commands/x.toml": 'prompt = "x"'})
    asks(project, '[packages.kit]\nsource = "git+../kit"\n')
    assert locked(project).written
    [package] = content(project)["packages"]
    assert (package["name"], package["version"], package["format"]) == ("kit", "1.0.0", "gemini")
    assert package["source"] == {"kind": "git", "location": "file:../kit"}
    assert package["commit"] == head
    shutil.rmtree(made / ".git")
    tree = tree_of(str(made))
    assert package["tree"] == tree.hash
    assert package["files"]["commands/x.toml"] == "file:" + hashlib.sha256(b'prompt = "x"').hexdigest()
    assert package["files"] == tree.as_json()


@needs_git
def test_a_pin_stays_until_it_is_renewed(tmp_path: Path, project: Project) -> None:
    made = repository(tmp_path / "kit")
    first = git(made, "rev-parse", "HEAD")
    asks(project, '[packages.kit]\nsource = "git+../kit"\n')
    locked(project)
    second = commit(made, {"new.md": "new"})
    again = locked(project)
    assert (again.written, again.changes, again.pins["kit"].commit) == (False, (), first)
    renewed = locked(project, "kit")
    assert (renewed.written, renewed.pins["kit"].commit) == (True, second)
    assert renewed.changes[0].startswith("changed kit 1.0.0")
    assert lock(project, shop_for(project), Renewal(everything=True)).written is False


@needs_git
def test_another_ref_in_the_project_file_makes_another_pin(tmp_path: Path, project: Project) -> None:
    made = repository(tmp_path / "kit")
    git(made, "tag", "v1")
    commit(made, {"new.md": "new"})
    asks(project, '[packages.kit]\nsource = "git+../kit"\n')
    before = locked(project).pins["kit"]
    asks(project, '[packages.kit]\nsource = "git+../kit"\nref = "v1"\n')
    assert drifted(project) == ["`kit` was locked for another request than the project file has now"]
    after = locked(project).pins["kit"]
    assert after.commit != before.commit
    assert after.tag == "v1"
    assert not drifted(project)


@needs_git
def test_a_folder_of_a_monorepo_is_pinned(tmp_path: Path, project: Project) -> None:
    repository(tmp_path / "mono", {"a/gemini-extension.json": '{"name": "a", "version": "1.0.0"}', "b/x": "x"})
    asks(project, '[packages.a]\nsource = "git+../mono"\nsubdir = "a"\n')
    assert list(locked(project).pins["a"].files) == ["gemini-extension.json"]


def test_a_folder_of_the_project_is_read_again_each_time(project: Project) -> None:
    kit = extension(Path(project.folder) / "tools" / "kit")
    asks(project, '[packages.kit]\nsource = "./tools/kit"\n')
    locked(project)
    assert content(project)["packages"][0]["source"] == {"kind": "folder", "location": "./tools/kit"}
    assert not drifted(project)
    (kit / "GEMINI.md").write_text("more")
    assert drifted(project) == ["`kit` has changed since it was locked: added GEMINI.md"]
    assert locked(project).written
    assert not drifted(project)


def test_an_archive_is_pinned_by_its_hash(tmp_path: Path, project: Project) -> None:
    shutil.make_archive(str(tmp_path / "kit"), "zip", extension(tmp_path / "made"))
    asks(project, '[packages.kit]\nsource = "../kit.zip"\n')
    hashed = hashlib.sha256((tmp_path / "kit.zip").read_bytes()).hexdigest()
    assert locked(project).pins["kit"].commit == f"sha256:{hashed}"
    assert not drifted(project)


def test_the_lock_is_the_same_on_every_machine(tmp_path: Path) -> None:
    texts = []
    for machine in ("one", "another-and-longer"):
        place = tmp_path / machine
        project = workplace(place / "src" / "project", place / "home")
        launch = {"command": "node", "args": ["${extensionPath}/x.js", "${workspacePath}", "$SECRET", "$HOME"]}
        secret = {"SECRET": f"token-of-{machine}", "HOME": project.places.home, **project.places.env}
        project = project.replace(places=project.places.replace(env=secret))
        extension(place / "src" / "kit", mcpServers={"docs": launch})
        extension(place / "home" / "mine", "mine")
        asks(project, '[packages.mine]\nsource = "~/mine"\n[packages.kit]\nsource = "../kit"\n')
        locked(project)
        texts.append(Path(project.lock).read_bytes())
    assert texts[0] == texts[1]
    assert str(tmp_path).encode() not in texts[0]
    assert b"token-of" not in texts[0]
    assert b"\r" not in texts[0]
    packages = json.loads(texts[0])["packages"]
    assert [each["name"] for each in packages] == ["kit", "mine"]
    assert packages[0]["servers"][0]["argv"] == ["node", "<package>/x.js", "<workspace>", "$SECRET", "$HOME"]


def test_reading_and_writing_the_lock_again_changes_no_byte(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "kit", mcpServers={"a": {"command": "uvx", "args": ["x"]}, "b": {"url": "https://h.example/"}})
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    pins = locked(project).pins
    assert read_lock(project) == pins
    stamp = os.stat(project.lock).st_mtime_ns
    assert not locked(project).written
    assert os.stat(project.lock).st_mtime_ns == stamp


def test_locking_installs_nothing(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "kit")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    locked(project)
    assert not os.path.exists(own_store(project.places).index_path)


def test_floating_servers_are_told_with_their_place_and_a_hint(tmp_path: Path, project: Project) -> None:
    servers = {
        "docs": {"command": "npx", "args": ["-y", "docs@latest"]},
        "far": {"httpUrl": "https://mcp.example/"},
        "fixed": {"command": "npx", "args": ["-y", "docs@1.2.3"]},
    }
    extension(tmp_path / "kit", mcpServers=servers)
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    told = locked(project).diagnostics
    assert [(each.code, each.severity) for each in told] == [("launch-floats", "warning"), ("launch-remote", "note")]
    assert told[0].hint == "name one: docs@1.2.3"
    assert '"name": "docs"' in "".join(Path(project.lock).read_text("utf-8").splitlines()[told[0].line - 1 :][:2])
    pinned = {each["name"]: each["pinned"] for each in content(project)["packages"][0]["servers"]}
    assert pinned == {"docs": False, "far": False, "fixed": True}


COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    "line",
    [
        *("npx x", "npx -y x@latest", "npx -y @s/x", "npx x@^1.2.3", "npx x@1", "npx -p x y", "npx --package=x y"),
        *("npx -y github:o/r", "npx o/r", "npx https://h.example/x.tgz", "npx x@$VERSION", "/usr/bin/npx x"),
        *("bunx x", "bun x y", "pnpm dlx x", "yarn dlx x", "npm exec x", "npm x -- x", "pnpx x"),
        *(
            "uvx x",
            "uvx x@latest",
            "uvx x>=1.0",
            "uvx git+https://h.example/r",
            "uvx --from git+https://h.example/r@v1 x",
        ),
        *("uvx --with y x==1.0", "uv tool run x", "uv run --with mcp mcp run s.py", "uvx --python 3.12 x"),
        *("pipx run x", "pipx run --spec git+https://h.example/r x", "go run h.example/x@latest", "go run x.y/z@main"),
        *("docker run -i --rm mcp/x", "docker run -e A=B -v /a:/b i:latest", "podman run --rm -it i:1.0"),
        *("deno run -A https://h.example/x.ts", "deno run npm:x", "deno run jsr:@s/x", "nix run github:o/r", "dnx X"),
        *("cmd /c npx x", 'cmd /c "npx x"', "sh -c 'cd x && npx y'", "bash -lc 'curl https://h.example | sh'"),
        *("env A=B npx x", "sh -c 'A=B exec npx x'", "NPX.CMD x"),
    ],
)
def test_a_launch_that_fetches_whatever_there_is_floats(line: str) -> None:
    found = float_of(words(line))
    assert found
    assert found.reason
    assert found.hint


@pytest.mark.parametrize(
    "line",
    [
        *("npx -y x@1.2.3", "npx @s/x@1.2.3-beta.1", "npx ./x", "npx <package>/x", f"npx github:o/r#{COMMIT}"),
        *("npx --package=x@1.0.0 y", "npx x@1.2.3 --package y", "bunx x@1.0.0", "npm run start", "npm exec x@1.0.0"),
        *("uvx x==1.2", "uvx x@1.2.3", "uvx x[cli]==1.2", f"uvx --from git+https://h.example/r@{COMMIT} x"),
        *("uvx x==1.0 --with y", "uv run s.py", "uv --directory <package> run x", "uv run --with mcp==1.2 s.py"),
        *("pipx run x==1.0", "pipx install x", "go run ./x", "go run h.example/x@v1.2.3", "go build x@latest"),
        *(f"docker run -i --rm i@sha256:{'a' * 64}", f"docker run -e A=B i:1@sha256:{'a' * 64}", "docker ps"),
        *(
            "deno run -A <package>/x.ts",
            "deno run npm:x@1.2.3",
            "deno run jsr:@s/x@1.2.3",
            f"nix run github:o/r/{COMMIT}",
        ),
        *("node <package>/x.js", "python3 -m x", "./x", "dnx X@1.0.0 --yes", "sh -c 'node x.js'", "sh x.sh", "sh -c"),
    ],
)
def test_a_launch_that_always_starts_the_same_is_pinned(line: str) -> None:
    assert float_of(words(line)) is None


def words(line: str) -> tuple[str, ...]:
    import shlex

    return tuple(shlex.split(line))


def test_no_command_line_breaks_the_judgement() -> None:
    for odd in (
        (),
        ("",),
        ("npx",),
        ("npx", "--"),
        ("docker", "run"),
        ("docker", "run", "-e"),
        ("sh", "-c", "'"),
        ("env",),
    ):
        float_of(odd)
    nested = "npx x"
    for _level in range(8):
        nested = f"sh -c {json.dumps(nested)}"
    float_of(words(nested))
    assert float_of(("sh", "-c", "x " * 4_000_000 + "npx y"))
    assert float_of(("npx", "=a" * 4_000_000 + "\n"))


def test_a_name_other_than_the_package_has_is_refused(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "kit")
    asks(project, '[packages.tool]\nsource = "../kit"\n')
    error = refusal(lambda: locked(project)).diagnostic
    assert "called `kit`" in error.message
    assert error.hint == "write [packages.kit]"
    assert not os.path.exists(project.lock)


def test_a_hostile_package_is_not_locked(tmp_path: Path, project: Project) -> None:
    kit = extension(tmp_path / "kit")
    (kit / "out").symlink_to(tmp_path / "home")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    assert refusal(lambda: locked(project)).diagnostic.code == "tree-link-escapes"
    assert not os.path.exists(project.lock)


def test_what_is_missing_or_too_much_in_the_lock_is_drift(tmp_path: Path, project: Project) -> None:
    asks(project, "")
    assert drifted(project) == ["there is no lock file"]
    extension(tmp_path / "kit")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    locked(project)
    asks(project, '[packages.other]\nsource = "../kit"\n')
    assert drifted(project) == ["`other` is not locked", "`kit` is locked, but not in the project file"]
    asks(project, "")
    assert locked(project).changes == ("removed kit",)


def test_a_lock_that_names_another_place_than_the_project_file_is_drift(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "kit")
    extension(tmp_path / "evil")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    locked(project)
    text = Path(project.lock).read_text("utf-8")
    Path(project.lock).write_text(text.replace('"location": "../kit"', '"location": "../evil"'), "utf-8")
    assert "but locked from" in drifted(project)[0]


@pytest.mark.parametrize(
    ("before", "after"), [('"name": "docs"', '"name": "notes"'), ('"version": "1.0.0"', '"version": "9.0.0"')]
)
def test_a_lock_whose_words_are_not_those_of_the_package_is_drift(
    tmp_path: Path, project: Project, before: str, after: str
) -> None:
    extension(tmp_path / "kit", mcpServers={"docs": {"command": "docs-server"}})
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    locked(project)
    text = Path(project.lock).read_text("utf-8")
    assert before in text
    Path(project.lock).write_text(text.replace(before, after), "utf-8")
    assert "`kit` has changed since it was locked" in drifted(project)[0]


def test_a_lock_for_another_path_than_one_that_is_gone_is_drift(tmp_path: Path, project: Project) -> None:
    kit = extension(tmp_path / "kit")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    locked(project)
    shutil.rmtree(kit)
    assert not drifted(project), "the cache may have it"
    text = Path(project.lock).read_text("utf-8")
    Path(project.lock).write_text(text.replace('"location": "../kit"', '"location": "../evil"'), "utf-8")
    assert "was locked from elsewhere" in drifted(project)[0]


def test_the_project_is_found_from_a_folder_inside(project: Project) -> None:
    asks(project, "")
    inside = Path(project.folder) / "src" / "deep"
    inside.mkdir(parents=True)
    assert project_here(project.places.replace(cwd=str(inside))).folder == project.folder


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("[packages.kit]\nsorce = 'x'\n", "needs `source`", 1),
        ("[packages.kit]\nsource = 'x'\nreff = 'y'\n", "unknown key `reff`", 3),
        ("[packages.kit]\nsource = 3\n", "`packages.kit.source` must be text, not a number", 2),
        ("[packages.kit]\nsource = ''\n", "must not be empty", 2),
        ("[packages.kit]\nsource = 'x'\npre_release = 'yes'\n", "must be true or false", 3),
        ("packages = 3\n", "must be an object", 1),
        ("[package.kit]\nsource = 'x'\n", "unknown key `package`", 1),
        ("[packages.'../kit']\nsource = 'x'\n", "cannot be used as a package's name", 1),
        ("[packages.kit\n", "", 1),
        ("x = " + "9" * 5000, "too long", 0),
        ("x = " + "[" * 5000, "", 0),
        ("\x00", "", 1),
    ],
)
def test_a_broken_project_file_is_a_diagnostic(project: Project, text: str, message: str, line: int) -> None:
    asks(project, text)
    error = refusal(lambda: read_requirements(project)).diagnostic
    assert error.code == "project-file-broken"
    assert message in error.message
    assert error.line == line or not line
    assert error.path == project.file


def test_a_missing_project_file_says_how_to_write_one(project: Project) -> None:
    error = refusal(lambda: locked(project)).diagnostic
    assert error.code == "project-file-missing"
    assert "[packages.NAME]" in error.hint


def test_an_unknown_name_to_renew_suggests_a_known_one(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "review", "review")
    asks(project, '[packages.review]\nsource = "../review"\n')
    assert refusal(lambda: locked(project, "reviw")).diagnostic.hint == "did you mean `review`?"


def test_adding_to_the_project_keeps_what_is_there(project: Project) -> None:
    before = "# ours\r\n[packages.b] # why\r\nsource = 'x/y'"
    Path(project.file).write_bytes(before.encode())
    requirement = Requirement("o/r", 'we"ird\\\x7f', "a/b", True)
    add_to_project(project, "kit.tools", requirement)
    after = Path(project.file).read_bytes().decode()
    assert after.startswith(before + "\r\n\r\n[packages.")
    assert "\n" not in after.replace("\r\n", "")
    assert tomllib.loads(after)["packages"]["kit.tools"]["ref"] == 'we"ird\\\x7f'
    assert read_requirements(project) == {"b": Requirement("x/y"), "kit.tools": requirement}
    add_to_project(project, "kit.tools", requirement)
    assert Path(project.file).read_bytes().decode() == after


def test_adding_makes_the_file_where_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    project = project_here(Places(str(tmp_path), str(tmp_path / "p")))
    add_to_project(project, "kit", Requirement("o/r"))
    assert Path(project.file).read_text("utf-8") == '[packages.kit]\nsource = "o/r"\n'


@pytest.mark.parametrize("before", ["packages = {b = {source = 'x/y'}}\n", "[packages.kit]\nsource = 'x/y'\n"])
def test_a_file_that_cannot_be_added_to_stays_as_it_is(project: Project, before: str) -> None:
    asks(project, before)
    refusal(lambda: add_to_project(project, "kit", Requirement("o/r")))
    assert Path(project.file).read_text("utf-8") == before


def test_a_path_typed_in_a_folder_is_written_from_the_top_of_the_project(tmp_path: Path, project: Project) -> None:
    extension(Path(project.folder) / "src" / "kit")
    here = project.places.replace(cwd=str(Path(project.folder) / "src"))
    assert requirement_for("kit", project, here, Requirement("")).source == "./src/kit"
    assert requirement_for("git+./kit", project, here, Requirement("")).source == "git+./src/kit"
    assert requirement_for("../..", project, here, Requirement("")).source == ".."
    assert requirement_for("owner/repo", project, here, Requirement("")).source == "owner/repo"


def package(**changes: Any) -> dict[str, Any]:
    made = {
        "name": "kit",
        "version": "1",
        "format": "gemini",
        "asked": {"source": "o/r"},
        "source": {"kind": "git", "location": "https://h.example/r"},
        "commit": COMMIT,
        "tree": HASH,
        "servers": [],
        "files": {"a": FILE},
    }
    return {**made, **changes}


HOSTILE = [
    package(name="../../etc"),
    package(name="a/b"),
    package(name=""),
    package(name=["kit"]),
    package(tree="latest"),
    package(tree="sha256:" + "0" * 63 + "\n"),
    package(files={"../x": FILE}),
    package(files={"/etc/passwd": FILE}),
    package(files={"a\\b": FILE}),
    package(files={"A": FILE, "a": FILE}),
    package(files={"a": "0" * 64}),
    package(files=[]),
    package(files={"\ud800": FILE}),
    package(commit="--upload-pack=x"),
    package(commit="zzz"),
    package(source={"kind": "git", "location": "--upload-pack=touch x"}),
    package(source={"kind": "git", "location": "https://u:p@h.example/r"}),
    package(source={"kind": "git", "location": "https://h.example/r", "ref": "-x"}),
    package(source={"kind": "git", "location": "https://h.example/r", "subdir": "../.."}),
    package(source={"kind": "folder", "location": "kit"}),
    package(source={"kind": "unheard", "location": "x"}),
    package(source={"kind": "git", "location": ["x"]}),
    package(source={"kind": "archive", "location": "https://h.example/x.zip"}),
    package(asked={}),
    package(asked={"source": "x", "run": "y"}),
    package(servers=[{"name": "x"}]),
    package(servers=[{"name": "x", "pinned": 1}]),
    package(servers=[{"name": "x", "pinned": True, "argv": [1]}]),
    package(extra=1),
    {},
    None,
    3,
]


@pytest.mark.parametrize("entry", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_lock_is_a_diagnostic(project: Project, entry: Any) -> None:
    Path(project.lock).write_text(json.dumps({"version": 1, "packages": [package(), entry]}), "utf-8")
    error = refusal(lambda: read_lock(project)).diagnostic
    assert error.code == "lock-broken"
    assert error.path == project.lock
    assert error.line == 1


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "3", "null", "{}", '{"version": 1}', '{"version": 1, "packages": {}}', "[" * 10_000),
        *('{"version": 2, "packages": []}', '{"version": "1", "packages": []}', '{"version": true, "packages": []}'),
        *('{"version": 1e999, "packages": []}', '{"version": -1, "packages": []}'),
        json.dumps({"version": 1, "packages": [package(), package()]}),
    ],
)
def test_a_broken_lock_is_a_diagnostic(project: Project, text: str) -> None:
    Path(project.lock).write_text(text, "utf-8")
    assert refusal(lambda: read_lock(project)).diagnostic.code == "lock-broken"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["..", "-x", HASH]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
WHERE = st.sampled_from([*package(), "source.kind", "source.location", "source.ref", "source.subdir", "source.entry"])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=WHERE, value=JSON)
def test_no_value_anywhere_in_a_lock_is_a_traceback(project: Project, where: str, value: Any) -> None:
    key, _, inner = where.partition(".")
    changed = package(**{key: {**package()[key], inner: value} if inner else value})
    Path(project.lock).write_text(json.dumps({"version": 1, "packages": [changed]}), "utf-8")
    asks(project, '[packages.kit]\nsource = "https://h.example/r.git"\n')
    with suppress(PiscesError):
        drift(project, shop_for(project))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60), cut=st.integers(0, 80))
def test_no_text_in_a_project_file_is_a_traceback(project: Project, text: str, cut: int) -> None:
    good = '[packages.kit]\nsource = "o/r"\nref = "x"\n[packages.b]\nsource = "../b"\n'
    Path(project.file).write_text(good[:cut] + text + good[cut:], "utf-8", errors="surrogatepass")
    with suppress(PiscesError):
        read_requirements(project)


def test_a_good_lock_can_be_read(project: Project) -> None:
    Path(project.lock).write_text(json.dumps({"version": 1, "packages": [package()]}), "utf-8")
    pins = read_lock(project)
    assert pins
    assert pins["kit"].exact.ref == COMMIT


def test_a_huge_lock_a_folder_and_a_pipe_are_not_read(project: Project) -> None:
    with open(project.lock, "wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "bytes" in refusal(lambda: read_lock(project)).diagnostic.message
    os.unlink(project.lock)
    os.mkdir(project.lock)
    assert "folder" in refusal(lambda: read_lock(project)).diagnostic.message
    os.rmdir(project.lock)
    if hasattr(os, "mkfifo"):
        os.mkfifo(project.lock)
        assert "pipe" in refusal(lambda: read_lock(project)).diagnostic.message


def test_a_merge_conflict_is_named_with_its_line(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "kit")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    locked(project)
    lines = Path(project.lock).read_text("utf-8").splitlines()
    lines[2:2] = ["<<<<<<< HEAD", "=======", ">>>>>>> other"]
    Path(project.lock).write_text("\n".join(lines), "utf-8")
    error = refusal(lambda: locked(project)).diagnostic
    assert (error.code, error.line) == ("lock-conflict", 3)
    assert "packages.toml" in error.hint


def test_what_is_cached_is_hashed_before_it_is_used(tmp_path: Path, project: Project) -> None:
    kit = extension(tmp_path / "kit")
    tree = tree_of(str(kit)).hash
    said: list[str] = []
    assert cache_tree(str(kit), tree, project.places, print)
    found = tree_from_cache(tree, str(tmp_path / "out"), project.places, said.append)
    assert found
    assert found.hash == tree_of(str(tmp_path / "out")).hash == tree
    cached = Path(tree_cache(project.places).trees) / tree.partition(":")[2]
    (cached / "more.md").write_text("evil")
    assert tree_from_cache(tree, str(tmp_path / "again"), project.places, said.append) is None
    assert not cached.exists()
    assert not (tmp_path / "again").exists()
    assert "dropped from the cache" in said[0]
    assert cache_tree(str(kit), tree, project.places, print)


def test_nothing_is_cached_under_a_hash_that_is_not_its_own(tmp_path: Path, project: Project) -> None:
    kit = extension(tmp_path / "kit")
    assert not cache_tree(str(kit), HASH, project.places, print)
    assert tree_from_cache(HASH, str(tmp_path / "out"), project.places, print) is None


def test_a_cache_that_cannot_be_written_stops_nobody(tmp_path: Path, project: Project) -> None:
    extension(tmp_path / "kit")
    os.makedirs(project.places.agent_dir)
    Path(tree_cache(project.places).folder).write_text("a file where the cache should be")
    asks(project, '[packages.kit]\nsource = "../kit"\n')
    assert locked(project).written
