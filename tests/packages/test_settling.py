"""Updates settle: a run bit arrives, and where nothing changed the answer is "up to date", now and the next time."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

import pytest

from pisces.packages.lock.lock_file import read_lock
from pisces.packages.lock.project_file import project_here
from pisces.packages.store.tree import WITHOUT_RUN_BITS, tree_of
from tests.packages.repositories import commit, git, needs_git, repository
from tests.packages.test_install import World

if sys.platform == "win32":
    pytest.skip("Windows has no run bit", allow_module_level=True)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def state(world: World, *words: str, name: str = "kit") -> str:
    done = world.run("extensions", "update", *words, "--output-format", "json")
    return next(str(each["state"]) for each in json.loads(done.stdout) if each["name"] == name)


def accepted(world: World, *words: str) -> None:
    """Reads the card, then agrees to it."""
    asked = world.run("extensions", *words)
    found = next(word for word in asked.stderr.split() if word.startswith("sha256:"))
    done = world.run("extensions", *words, "--accept", found)
    assert done.returncode == 0, done.stderr


def installed(world: World, to: str) -> Path:
    stores = {"pisces": ".pisces/agent/packages/trees", "gemini": ".gemini/extensions"}
    found = (world.home / stores[to]).glob("kit*")
    return max(found, key=lambda path: path.stat().st_mtime)


def index_path(world: World) -> Path:
    return world.home / ".pisces" / "agent" / "packages" / "index.json"


@pytest.mark.parametrize("to", ["pisces", "gemini"])
def test_a_run_bit_arrives_with_consent_and_then_settles(to: str, world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    accepted(world, "install", str(folder), "--to", to)
    (folder / "run.sh").chmod(0o755)
    assert state(world, "kit", "--dry-run") == "available"
    asked = world.run("extensions", "update", "kit")
    assert "+ program: run.sh" in asked.stderr
    assert "changed run.sh" in asked.stderr
    accepted(world, "update", "kit")
    assert os.access(installed(world, to) / "run.sh", os.X_OK)
    assert state(world, "kit", "--dry-run") == "current"
    assert world.run("extensions", "info", "kit").returncode == 0


@pytest.mark.parametrize("to", ["pisces", "gemini"])
def test_a_local_folder_that_did_not_change_is_up_to_date(to: str, world: World) -> None:
    accepted(world, "install", str(world.package("kit")), "--to", to)
    done = world.run("extensions", "update", "--all", "--dry-run")
    assert "up to date" in done.stdout
    assert "available" not in done.stdout
    assert state(world, "--all") == "current"


def test_a_file_of_the_store_that_may_run_now_is_a_changed_file(world: World) -> None:
    world.install(world.package("kit", run_dot_sh="echo"))
    (installed(world, "pisces") / "run.sh").chmod(0o755)
    assert world.run("extensions", "info", "kit").returncode == 1


@needs_git
@pytest.mark.parametrize("to", ["pisces", "gemini"])
def test_a_monorepo_whose_other_folders_move_is_up_to_date(to: str, world: World, tmp_path: Path) -> None:
    mono = repository(tmp_path / "mono", {"kit/gemini-extension.json": '{"name": "kit", "version": "1"}', "b": "1"})
    accepted(world, "install", f"git+{mono}", "--subdir", "kit", "--to", to)
    commit(mono, {"b": "2"})
    assert state(world, "kit", "--dry-run") == "current"
    assert state(world, "kit") == "current"
    if to == "pisces":  # and is not fetched again, since the commit is known now
        package = json.loads(index_path(world).read_text())["packages"][0]
        assert package["commit"] == git(mono, "rev-parse", "HEAD")
    commit(mono, {"kit/new": "x"})
    assert state(world, "kit", "--dry-run") == "available"


@needs_git
@pytest.mark.parametrize("to", ["pisces", "gemini"])
def test_a_commit_without_any_change_settles_with_the_next_update(to: str, world: World, tmp_path: Path) -> None:
    kit = repository(tmp_path / "kit")
    accepted(world, "install", f"git+{kit}", "--to", to)
    git(kit, "commit", "--quiet", "--allow-empty", "-m", "nothing")
    assert state(world, "kit") == "current"
    assert state(world, "kit", "--dry-run") == "current"
    assert world.run("extensions", "info", "kit").returncode == 0


@needs_git
def test_a_marketplace_whose_other_plugins_move_is_up_to_date(world: World, tmp_path: Path) -> None:
    listing = {"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "kit", "source": "./kit"}]}
    files = {".claude-plugin/marketplace.json": json.dumps(listing), "kit/commands/x.md": "x", "other": "1"}
    market = repository(tmp_path / "market", files)
    accepted(world, "install", f"kit@{market}")
    assert state(world, "kit", "--dry-run") == "current"
    (market / "other").write_text("2")
    assert state(world, "kit", "--dry-run") == "current"
    (market / "kit" / "commands" / "x.md").write_text("y")
    assert state(world, "kit", "--dry-run") == "available"


@needs_git
def test_an_executable_in_a_commit_is_pinned_as_one(world: World, tmp_path: Path) -> None:
    mono = repository(tmp_path / "kit", {"gemini-extension.json": '{"name": "kit", "version": "1"}', "run.sh": "x"})
    accepted(world, "install", f"git+{mono}")
    git(mono, "update-index", "--chmod=+x", "run.sh")
    git(mono, "commit", "--quiet", "-m", "run")
    accepted(world, "update", "kit")
    assert os.access(installed(world, "pisces") / "run.sh", os.X_OK)
    assert state(world, "kit", "--dry-run") == "current"


def earlier_hash(folder: Path) -> str:
    """As pisces hashed before run bits counted."""
    whole = hashlib.sha256()
    for path in sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()):
        whole.update(f"{path}\0file:{hashlib.sha256((folder / path).read_bytes()).hexdigest()}\n".encode())
    return f"sha256:{whole.hexdigest()}"


def as_recorded_before(world: World) -> None:
    index = json.loads(index_path(world).read_text())
    for package in index["packages"]:
        package["tree"] = earlier_hash(Path(package["folder"]))
        del package["hash_version"]
    index_path(world).write_text(json.dumps(index))


def test_a_record_without_run_bits_is_not_a_changed_package(world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    (folder / "run.sh").chmod(0o755)
    world.install(folder)
    as_recorded_before(world)
    assert world.run("extensions", "info", "kit").returncode == 0
    assert state(world, "kit", "--dry-run") == "current"
    assert state(world, "kit") == "current"
    package = json.loads(index_path(world).read_text())["packages"][0]
    assert package["hash_version"] == 2, "the next update knows the run bits"
    assert world.run("extensions", "info", "kit").returncode == 0


def test_a_record_without_run_bits_still_asks_for_new_ones(world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    world.install(folder)
    as_recorded_before(world)
    (folder / "run.sh").chmod(0o755)
    assert state(world, "kit", "--dry-run") == "available"
    assert world.run("extensions", "update", "kit").returncode == 1
    accepted(world, "update", "kit")


def locked(world: World) -> Path:
    (world.project / ".pisces").mkdir()
    (world.project / ".pisces" / "packages.toml").write_text('[packages.kit]\nsource = "./kit"\n')
    assert world.run("extensions", "lock").returncode == 0
    return world.project / "pisces.lock"


def without_run_bits(lock: Path) -> None:
    """As an earlier pisces, or one on Windows, writes the file."""
    value = json.loads(lock.read_text())
    package = value["packages"][0]
    package["files"] = {path: pin.replace("program:", "file:") for path, pin in package["files"].items()}
    package["tree"] = earlier_hash(lock.parent / "kit")
    del package["hash_version"]
    lock.write_text(json.dumps(value))


def test_the_lock_pins_the_run_bit_and_notices_when_it_changes(world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    (folder / "run.sh").chmod(0o755)
    package = json.loads(locked(world).read_text())["packages"][0]
    assert package["files"]["run.sh"].startswith("program:")
    assert package["hash_version"] == 2
    assert world.run("extensions", "lock", "--check").returncode == 0
    (folder / "run.sh").chmod(0o644)
    done = world.run("extensions", "lock", "--check")
    assert done.returncode == 1
    assert "changed run.sh" in done.stderr


def test_a_lock_without_run_bits_is_valid_here_and_says_when_it_gets_them(world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    (folder / "run.sh").chmod(0o755)
    lock = locked(world)
    without_run_bits(lock)
    before = lock.read_text()
    assert world.run("extensions", "lock", "--check").returncode == 0
    for state_now in ("installed", "current"):
        done = world.run("extensions", "sync", "--frozen", "--accept-lock")
        assert done.returncode == 0, done.stderr
        assert state_now in done.stdout
    assert os.access(installed(world, "pisces") / "run.sh", os.X_OK)
    assert lock.read_text() == before
    assert "with its run bits" in world.run("extensions", "lock").stdout


def test_a_lock_with_run_bits_is_valid_where_there_are_none(world: World) -> None:
    """As on Windows: what is read there has no run bit, so the files are compared without it."""
    folder = world.package("kit", run_dot_sh="echo")
    (folder / "run.sh").chmod(0o755)
    locked(world)
    (pin,) = (read_lock(project_here(world.places)) or {}).values()
    (folder / "run.sh").chmod(0o644)
    there = tree_of(str(folder)).replace(version=WITHOUT_RUN_BITS)
    assert pin.is_of(there)
    assert not pin.is_of(tree_of(str(folder)))
    (folder / "run.sh").write_text("other")
    assert not pin.is_of(tree_of(str(folder)).replace(version=WITHOUT_RUN_BITS))


def test_the_cache_gives_back_run_bits(world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    (folder / "run.sh").chmod(0o755)
    locked(world)
    (folder / "run.sh").unlink()
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    done = world.run("extensions", "sync", "--frozen", "--offline", "--accept-lock")
    assert done.returncode == 0, done.stderr
    assert os.access(installed(world, "pisces") / "run.sh", os.X_OK)


def test_a_hash_that_was_agreed_to_before_run_bits_counted_says_so(world: World) -> None:
    folder = world.package("kit", run_dot_sh="echo")
    (folder / "run.sh").chmod(0o755)
    done = world.run("extensions", "install", str(folder), "--accept", earlier_hash(folder))
    assert done.returncode == 1
    assert "does not cover run bits" in done.stderr
