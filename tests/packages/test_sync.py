"""What the lock pins is what is installed: with consent, from the cache when there is nothing else, all or nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.diagnostics import Diagnostic, PiscesError
from pisces.packages.enable import disable
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer, InstallRequest, install, link
from pisces.packages.lock.lock import Renewal, lock
from pisces.packages.lock.project_file import Project, project_here
from pisces.packages.lock.sync import Synced, Wanted, sync
from pisces.packages.store.cache import tree_cache
from pisces.packages.store.store import own_store, read_index
from pisces.packages.store.tree import tree_of
from pisces.packages.uninstall import rollback
from pisces.places import Places
from pisces.shapes.installed import Installed
from tests.gates.judges import deciding
from tests.packages.repositories import commit, git, needs_git, repository
from tests.packages.servers import Answer, as_json, fake_github
from tests.packages.test_github import release, tarball
from tests.warm_shell import pisces

FROZEN = Wanted(frozen=True)
OFFLINE = Wanted(frozen=True, offline=True)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "home").mkdir()
    (tmp_path / "project" / ".pisces").mkdir(parents=True)
    env = {"PATH": os.environ.get("PATH", os.defpath)}
    return project_here(Places(str(tmp_path / "home"), str(tmp_path / "project"), env))


@pytest.fixture
def kit(tmp_path: Path, project: Project) -> Path:
    """A repository that the project asks for and has locked."""
    made = repository(tmp_path / "kit")
    asks(project, "kit")
    locked(project)
    return made


def asks(project: Project, *names: str) -> None:
    tables = [f'[packages.{name}]\nsource = "git+../{name}"\n' for name in names]
    Path(project.file).write_text("\n".join(tables), "utf-8")


def shop_for(project: Project, decide: Callable[[InstallRequest], bool]) -> Installer:
    return Installer(own_store(project.places), project.places, deciding(decide), lambda _line: None)


def locked(project: Project, *names: str) -> None:
    lock(project, shop_for(project, lambda _asked: False), Renewal(names))


def synced(project: Project, wanted: Wanted = FROZEN, *, agree: bool = True) -> Synced:
    return sync(project, shop_for(project, lambda _asked: agree), wanted)


def refused(project: Project, wanted: Wanted = FROZEN, *, agree: bool = True) -> Diagnostic:
    before = everything(project)
    with pytest.raises(PiscesError) as error:
        synced(project, wanted, agree=agree)
    assert everything(project) == before, "a refusal changes nothing"
    return error.value.diagnostic


def everything(project: Project) -> dict[str, bytes]:
    """The store, without the lock file of its turn, and the project."""
    tops = (Path(own_store(project.places).folder), Path(project.folder))
    found = [file for top in tops for file in top.rglob("*") if file.is_file() and file.name != ".lock"]
    return {str(file): file.read_bytes() for file in found}


def index(project: Project) -> dict[str, Installed]:
    return read_index(own_store(project.places))


def shell(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": project.places.home, "USERPROFILE": project.places.home, "NO_COLOR": "1"}
    return pisces("extensions", *words, cwd=Path(project.folder), env=env, timeout=120)


@needs_git
def test_what_is_missing_is_installed_as_locked(project: Project, kit: Path) -> None:
    first = git(kit, "rev-parse", "HEAD")
    commit(kit, {"new.md": "not locked"})
    assert synced(project).states == {"kit": "installed"}
    package = index(project)["kit"]
    assert package.commit == first
    assert tree_of(package.folder).hash == package.tree
    assert not os.path.exists(os.path.join(package.folder, "new.md"))
    assert synced(project).states == {"kit": "current"}


@needs_git
def test_without_consent_nothing_is_installed(project: Project, kit: Path) -> None:
    told = refused(project, agree=False)
    assert told.code == "consent-needed"
    assert "--accept sha256:" in told.hint
    assert "--accept-lock" in told.hint


@needs_git
def test_one_refusal_among_several_installs_none(tmp_path: Path, project: Project, kit: Path) -> None:
    repository(tmp_path / "lint", {"gemini-extension.json": '{"name": "lint", "version": "1.0.0"}'})
    asks(project, "kit", "lint")
    locked(project)
    asked: list[str] = []

    def decide(question: InstallRequest) -> bool:
        asked.append(question.card.name)
        return question.card.name != "kit"

    with pytest.raises(PiscesError):
        sync(project, shop_for(project, decide), FROZEN)
    assert asked == ["kit", "lint"], "every card is shown"
    assert index(project) == {}


@needs_git
def test_nobody_is_asked_when_nothing_changed(project: Project, kit: Path) -> None:
    synced(project)
    assert synced(project, agree=False).states == {"kit": "current"}


@needs_git
def test_an_update_of_the_lock_is_an_update_with_a_way_back(project: Project, kit: Path) -> None:
    synced(project)
    shop = shop_for(project, lambda _asked: True)
    disable("kit", "user", shop)
    commit(kit, {"new.md": "new"})
    locked(project, "kit")
    before: list[Installed | None] = []

    def decide(asked: InstallRequest) -> bool:
        before.append(asked.installed)
        return True

    old = index(project)["kit"]
    assert sync(project, shop_for(project, decide), FROZEN).states == {"kit": "updated"}
    assert before == [old], "the card can show what changes"
    assert index(project)["kit"].overrides == old.overrides != ()
    assert rollback("kit", shop).tree == old.tree


@needs_git
def test_a_removed_repository_and_a_deleted_store_come_back_from_the_cache(project: Project, kit: Path) -> None:
    shutil.rmtree(kit)
    assert synced(project, OFFLINE).states == {"kit": "installed"}
    shutil.rmtree(own_store(project.places).folder)
    assert synced(project, FROZEN).states == {"kit": "installed"}
    assert tree_of(index(project)["kit"].folder).hash == index(project)["kit"].tree


@needs_git
def test_the_store_counts_as_a_cache(project: Project, kit: Path) -> None:
    synced(project)
    commit(kit, {"new.md": "new"})
    locked(project, "kit")
    synced(project)  # the first version is kept for a rollback
    shutil.rmtree(tree_cache(project.places).folder)
    text = Path(project.lock).read_text("utf-8")
    git(kit, "reset", "--hard", "--quiet", "HEAD~1")
    locked(project, "kit")
    assert Path(project.lock).read_text("utf-8") != text
    shutil.rmtree(tree_cache(project.places).folder)
    shutil.rmtree(kit)
    assert synced(project, OFFLINE).states == {"kit": "updated"}


@needs_git
def test_a_corrupt_cache_is_dropped_and_never_used(project: Project, kit: Path) -> None:
    [cached] = Path(tree_cache(project.places).trees).iterdir()
    (cached / "gemini-extension.json").write_text('{"name": "kit", "version": "6.6.6"}')
    assert refused(project, OFFLINE).code == "lock-needs-network"
    assert not cached.exists()
    assert synced(project, FROZEN).states == {"kit": "installed"}
    assert index(project)["kit"].version == "1.0.0"
    assert cached.exists()


@needs_git
def test_a_cache_that_is_corrupt_without_a_source_is_an_error(project: Project, kit: Path) -> None:
    shutil.rmtree(kit)
    [cached] = Path(tree_cache(project.places).trees).iterdir()
    (cached / "extra.md").write_text("x")
    assert refused(project).severity == "error"
    assert index(project) == {}


@needs_git
@pytest.mark.parametrize("change", ["ref", "removed", "added"])
def test_a_changed_project_file_is_drift(project: Project, kit: Path, change: str) -> None:
    text = Path(project.file).read_text("utf-8")
    changed = {"ref": text + 'ref = "main"\n', "removed": "", "added": text + '[packages.b]\nsource = "o/b"\n'}
    Path(project.file).write_text(changed[change], "utf-8")
    assert refused(project).code == "lock-drift"


@needs_git
def test_a_missing_lock_is_drift(project: Project, kit: Path) -> None:
    os.unlink(project.lock)
    assert refused(project).code == "lock-missing"


@needs_git
def test_other_content_for_the_same_pin_is_refused(project: Project, kit: Path) -> None:
    found = json.loads(Path(project.lock).read_text("utf-8"))
    found["packages"][0]["tree"] = "sha256:" + "0" * 64
    Path(project.lock).write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    assert refused(project).code == "lock-content-differs"
    assert refused(project, Wanted()).code == "lock-content-differs"


@needs_git
@pytest.mark.parametrize("lie", ["files", "servers", "version", "format", "name"])
def test_a_lock_that_lies_about_what_is_in_a_package_is_refused(project: Project, kit: Path, lie: str) -> None:
    found = json.loads(Path(project.lock).read_text("utf-8"))
    lies = {
        "files": {"gemini-extension.json": "file:" + "0" * 64},
        "servers": [{"name": "x", "argv": ["node"], "pinned": True}],
        "version": "2.0.0",
        "format": "skill",
        "name": "tool",
    }
    found["packages"][0][lie] = lies[lie]
    Path(project.lock).write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    Path(project.file).write_text(
        Path(project.file).read_text("utf-8").replace("kit]", f"{found['packages'][0]['name']}]")
    )
    assert refused(project).code == "lock-content-differs"


def test_a_folder_that_changed_since_it_was_locked_is_drift(tmp_path: Path, project: Project) -> None:
    made = Path(project.folder) / "kit"
    made.mkdir()
    (made / "gemini-extension.json").write_text('{"name": "kit", "version": "1.0.0"}')
    Path(project.file).write_text('[packages.kit]\nsource = "./kit"\n')
    locked(project)
    synced(project)
    (made / "GEMINI.md").write_text("changed")
    assert "added GEMINI.md" in refused(project).message
    assert synced(project, Wanted()).states == {"kit": "updated"}
    shutil.rmtree(made)
    shutil.rmtree(own_store(project.places).folder)
    assert synced(project, OFFLINE).states == {"kit": "installed"}


@needs_git
@pytest.mark.parametrize("damage", ["changed", "added", "removed", "gone"])
def test_installed_files_that_were_changed_are_drift_and_are_put_back(project: Project, kit: Path, damage: str) -> None:
    synced(project)
    folder = Path(index(project)["kit"].folder)
    manifest = folder / "gemini-extension.json"
    if damage == "changed":
        manifest.write_text("{}")
    elif damage == "added":
        (folder / "evil.sh").write_text("x")
    elif damage == "removed":
        manifest.unlink()
    else:
        shutil.rmtree(folder)
    assert refused(project).code == "installed-changed"
    assert synced(project, Wanted(), agree=False).states == {"kit": "repaired"}
    package = index(project)["kit"]
    assert tree_of(package.folder).hash == package.tree
    assert [each.name for each in Path(own_store(project.places).trees).iterdir()] == [os.path.basename(package.folder)]
    assert synced(project).states == {"kit": "current"}


@needs_git
def test_other_packages_are_left_alone_and_named(tmp_path: Path, project: Project, kit: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "gemini-extension.json").write_text('{"name": "other", "version": "1.0.0"}')
    install(parse_source(str(other), project.places), shop_for(project, lambda _asked: True))
    assert synced(project).others == ("other",)
    assert set(index(project)) == {"kit", "other"}


@needs_git
def test_a_linked_package_is_left_alone_but_is_drift(project: Project, kit: Path) -> None:
    link(str(kit), shop_for(project, lambda _asked: True))
    assert refused(project).code == "installed-linked"
    assert synced(project, Wanted()).states == {"kit": "linked"}
    assert index(project)["kit"].linked


@needs_git
def test_syncing_without_frozen_locks_what_is_new(tmp_path: Path, project: Project, kit: Path) -> None:
    repository(tmp_path / "lint", {"gemini-extension.json": '{"name": "lint", "version": "1.0.0"}'})
    asks(project, "kit", "lint")
    found = synced(project, Wanted())
    assert found.states == {"kit": "installed", "lint": "installed"}
    assert found.lock_changes[0].startswith("added lint 1.0.0")
    assert synced(project).states == {"kit": "current", "lint": "current"}


@needs_git
def test_offline_never_asks_a_source(tmp_path: Path, project: Project, kit: Path) -> None:
    asks(project, "kit", "lint")
    repository(tmp_path / "lint")
    assert refused(project, Wanted(offline=True)).code == "lock-needs-network"


@needs_git
def test_the_shell_accepts_the_lock_or_single_hashes(project: Project, kit: Path) -> None:
    tree = json.loads(Path(project.lock).read_text("utf-8"))["packages"][0]["tree"]
    done = shell(project, "sync", "--frozen")
    assert done.returncode == 1
    assert tree in done.stderr
    assert index(project) == {}
    done = shell(project, "sync", "--frozen", "--accept", "sha256:" + "1" * 64, "--accept", tree)
    assert (done.returncode, done.stdout.split()) == (0, ["kit", "installed"])
    shutil.rmtree(own_store(project.places).folder)
    done = shell(project, "sync", "--frozen", "--accept-lock", "--output-format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["packages"] == {"kit": "installed"}
    assert f"agreed to by the lock: kit {tree}" in done.stderr


@needs_git
def test_accepting_the_lock_does_not_accept_what_was_locked_just_now(project: Project, kit: Path) -> None:
    commit(kit, {"new.md": "new"})
    Path(project.file).write_text(Path(project.file).read_text("utf-8") + 'ref = "main"\n')
    before = everything(project)
    done = shell(project, "sync", "--accept-lock")
    assert done.returncode == 1
    assert "consent-needed" in done.stderr
    assert everything(project) == before
    assert index(project) == {}


@needs_git
def test_the_shell_checks_the_lock(project: Project, kit: Path) -> None:
    assert shell(project, "lock", "--check").returncode == 0
    assert shell(project, "lock", "--check", "--update", "kit").returncode == 2
    floating = {"name": "kit", "version": "2", "mcpServers": {"a": {"command": "npx", "args": ["x"]}}}
    commit(kit, {"gemini-extension.json": json.dumps(floating)})
    done = shell(project, "lock", "--update", "kit", "--strict")
    assert (done.returncode, "launch-floats" in done.stderr) == (1, True)
    assert done.stdout.startswith("changed kit 1.0.0")
    assert shell(project, "lock", "--check").returncode == 0
    assert shell(project, "lock", "--check", "--strict").returncode == 1
    Path(project.file).write_text("")
    done = shell(project, "lock", "--check", "--output-format", "json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["diagnostics"][0]["code"] == "lock-drift"


@needs_git
def test_two_processes_that_sync_at_once_both_end_well(tmp_path: Path, project: Project, kit: Path) -> None:
    names = [f"kit{number}" for number in range(4)]
    for name in names:
        repository(tmp_path / name, {"gemini-extension.json": f'{{"name": "{name}", "version": "1.0.0"}}'})
    asks(project, *names)
    locked(project)
    shutil.rmtree(tree_cache(project.places).folder)
    env = {**os.environ, "HOME": project.places.home, "USERPROFILE": project.places.home}
    command = [sys.executable, "-m", "pisces", "extensions", "sync", "--frozen", "--accept-lock"]
    started = [
        subprocess.Popen(
            command,
            cwd=project.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _process in range(2)
    ]
    for child in started:
        _out, said = child.communicate(timeout=120)
        assert child.returncode == 0, said.decode()
    assert sorted(index(project)) == names
    assert synced(project, OFFLINE, agree=False).states == dict.fromkeys(names, "current")
    assert len(list(Path(tree_cache(project.places).trees).iterdir())) == len(names)


def test_a_release_whose_file_was_replaced_is_refused_and_the_cache_needs_no_host(project: Project) -> None:
    pages = {
        "/repos/o/kit/releases/latest": as_json(release("v2", "kit.tar.gz")),
        "/repos/o/kit/releases/tags/v2": as_json(release("v2", "kit.tar.gz")),
        "/assets/kit.tar.gz": Answer(200, tarball()),
    }
    Path(project.file).write_text('[packages.kit]\nsource = "o/kit"\n')
    with fake_github(pages) as server:
        env = {"GITHUB_API_URL": server.url, "GITHUB_SERVER_URL": server.url, "GITHUB_TOKEN": "ghp_0123456789abcdef"}
        there = project.replace(places=project.places.replace(env={**project.places.env, **env}))
        locked(there)
        text = Path(project.lock).read_text("utf-8")
        assert ('"tag": "v2"' in text, "ghp_" in text) == (True, False)
        asked = len(server.asked)
        assert synced(there).states == {"kit": "installed"}
        assert len(server.asked) == asked, "the cache has it"
        shutil.rmtree(there.places.agent_dir)
        pages["/assets/kit.tar.gz"] = Answer(200, tarball(text='{"name": "kit", "version": "1.0.0", "x": 1}'))
        told = refused(there)
        assert (told.code, "changed gemini-extension.json" in told.message) == ("lock-content-differs", True)
        pages["/assets/kit.tar.gz"] = Answer(200, tarball())
        assert synced(there).states == {"kit": "installed"}
    shutil.rmtree(own_store(there.places).folder)
    assert synced(there).states == {"kit": "installed"}, "the host is gone"


def test_a_plugin_of_a_marketplace_in_the_project_is_locked_and_synced(project: Project) -> None:
    market = Path(project.folder) / "market"
    (market / ".claude-plugin").mkdir(parents=True)
    entry = {"name": "kit", "source": "./plugins/kit", "version": "1.0.0"}
    listing = {"name": "market", "owner": {"name": "me"}, "plugins": [entry]}
    (market / ".claude-plugin" / "marketplace.json").write_text(json.dumps(listing))
    (market / "plugins" / "kit" / "commands").mkdir(parents=True)
    command = market / "plugins" / "kit" / "commands" / "x.md"
    command.write_text("x")
    Path(project.file).write_text('[packages.kit]\nsource = "kit@./market"\n')
    locked(project)
    assert synced(project).states == {"kit": "installed"}
    command.write_text("y")
    assert "changed commands/x.md" in refused(project).message
    shutil.rmtree(market)
    shutil.rmtree(own_store(project.places).folder)
    assert synced(project, OFFLINE).states == {"kit": "installed"}


KILLED = """
import os, signal, sys
from pisces.__main__ import main
STEPS = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.symlink")
left = int(sys.argv[1])
def watch(event, args):
    global left
    writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes or event.startswith(STEPS):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
sys.exit(main(["extensions", "sync", "--frozen", "--accept-lock"]))
"""


@needs_git
@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
@pytest.mark.parametrize("step", range(1, 120, 9))
def test_a_killed_sync_leaves_all_or_nothing_and_the_next_one_ends_well(
    tmp_path: Path, project: Project, kit: Path, step: int
) -> None:
    repository(tmp_path / "lint", {"gemini-extension.json": '{"name": "lint", "version": "1.0.0"}'})
    asks(project, "kit", "lint")
    locked(project)
    shutil.rmtree(tree_cache(project.places).folder)
    home = project.places.home
    env = {**os.environ, "HOME": home, "USERPROFILE": home, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", KILLED, str(step)]
    subprocess.run(command, cwd=project.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert sorted(index(project)) in ([], ["kit", "lint"])
    synced(project)
    assert synced(project, OFFLINE, agree=False).states == {"kit": "current", "lint": "current"}
    cached = Path(tree_cache(project.places).trees)
    assert {f"sha256:{each.name}" for each in cached.iterdir()} == {
        tree_of(str(each)).hash for each in cached.iterdir()
    }
    staging = Path(own_store(project.places).staging)
    assert not staging.exists() or not list(staging.iterdir())
