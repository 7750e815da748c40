"""A disk that refuses: the path, the reason and what to do, the same in every command, and never a traceback.

Tests may run as root, whom modes do not stop. So the home is a read-only or tiny file system, mounted in a namespace
of its own, which ends with the command.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.gates.approvals import ApprovedProgram, remember_program
from tests.packages.repositories import needs_git, repository
from tests.packages.test_install import World

MOUNTS = {
    "read-only": "mount --bind {home} {home} && mount -o remount,bind,ro {home}",
    "full": "mount -t tmpfs -o size=4k none {home} && echo x > {home}/x",
    "small": "mount -t tmpfs -o size=200k none {home}",
}


def can_mount() -> bool:
    if not sys.platform.startswith("linux") or not shutil.which("unshare"):
        return False
    tried = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="needs the right to mount in a namespace of its own")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def mounted(world: World, how: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs pisces with a home that is mounted like this."""
    line = MOUNTS[how].format(home=world.home) + ' && exec "$@"'
    return subprocess.run(
        ["unshare", "--mount", "sh", "-c", line, "sh", sys.executable, "-m", "pisces", *words],
        cwd=world.project,
        env=world.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def refused(done: subprocess.CompletedProcess[str], reason: str) -> str:
    assert done.returncode in (1, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert reason in done.stderr.lower()
    assert "hint: " in done.stderr
    return next(line for line in done.stderr.splitlines() if reason in line.lower())


def card_hash(world: World, *words: str) -> str:
    card = world.run("extensions", *words)
    return next(word for word in card.stderr.split() if word.startswith("sha256:"))


ACTS = {
    "install": ("install", "./kit", "--accept", "HASH"),
    "install for another program": ("install", "./kit", "--to", "gemini", "--accept", "HASH"),
    "link": ("link", "./kit", "--accept", "HASH"),
    "lock": ("lock",),
    "sync": ("sync", "--accept", "HASH"),
}


def asked(world: World) -> str:
    """A package, a project that asks for it, and the hash of its card."""
    world.package("kit", commands__go_dot_toml='prompt = "go"')
    (world.project / ".pisces").mkdir()
    (world.project / ".pisces" / "packages.toml").write_text('[packages.kit]\nsource = "./kit"\n')
    return card_hash(world, "install", "./kit")


@needs_mounts
@pytest.mark.parametrize("words", ACTS.values(), ids=list(ACTS))
@pytest.mark.parametrize(("how", "reason"), [("read-only", "read-only file system"), ("full", "no space left")])
def test_a_home_that_takes_nothing_is_said_with_its_path(
    how: str, reason: str, words: tuple[str, ...], world: World
) -> None:
    accepted = asked(world)
    done = mounted(world, how, "extensions", *(accepted if word == "HASH" else word for word in words))
    assert refused(done, reason).startswith("~")


@pytest.mark.parametrize("words", ACTS.values(), ids=list(ACTS))
@pytest.mark.skipif(os.name == "nt", reason="Windows says it in other words")
def test_a_home_that_is_a_file_is_said(words: tuple[str, ...], world: World) -> None:
    accepted = asked(world)
    shutil.rmtree(world.home)
    world.home.write_text("")
    done = world.run("extensions", *(accepted if word == "HASH" else word for word in words))
    refused(done, "not a directory")
    assert "is a file, and a folder has to be there" in done.stderr


@needs_mounts
@pytest.mark.parametrize(
    "words",
    [
        ("extensions", "uninstall", "kit"),
        ("extensions", "disable", "kit"),
        ("extensions", "enable", "kit"),
        ("extensions", "update", "--all", "--accept", "sha256:0"),
        ("extensions", "config", "kit", "--set", "KIT_REGION=eu"),
        ("extensions", "config", "kit", "--set", "KIT_REGION=eu", "--scope", "workspace"),
        ("ide", "install", "neovim"),
        ("extensions", "new", "~/new", "skill"),
    ],
    ids=" ".join,
)
def test_every_act_on_a_store_that_can_only_be_read_says_so(words: tuple[str, ...], world: World) -> None:
    folder = world.package("kit", hello="#!/bin/sh\necho hi\n")
    (folder / "hello").chmod(0o755)
    manifest = {
        "name": "kit",
        "version": "1.0.0",
        "settings": [{"name": "Region", "envVar": "KIT_REGION"}],
        "commands": {"hello": {"type": "executable", "binary": "${extensionPath}/hello"}},
    }
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    world.install(folder)
    (folder / "new").write_text("x")
    line = [word.replace("~", str(world.home)) for word in words]
    refused(mounted(world, "read-only", *line), "read-only file system")
    assert world.listed() == {"kit": "1.0.0"}
    ran = mounted(world, "read-only", "run", "/hello")
    assert ran.stdout == "hi\n", "what was agreed to runs"


@needs_mounts
def test_a_lock_is_checked_with_a_store_that_can_only_be_read(world: World) -> None:
    asked(world)
    assert world.run("extensions", "lock").returncode == 0
    done = mounted(world, "read-only", "extensions", "lock", "--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("blocked", ["pisces.lock", ".pisces/packages.toml", ".pisces/settings"])
def test_files_of_the_project_that_cannot_be_written_are_named(blocked: str, world: World) -> None:
    """A folder where a file has to be, or a file where a folder has to be, stops root too."""
    folder = world.package("kit")
    manifest = {"name": "kit", "version": "1.0.0", "settings": [{"name": "Region", "envVar": "KIT_REGION"}]}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    world.install(folder)
    (world.project / ".pisces").mkdir()
    if blocked == ".pisces/settings":
        (world.project / blocked).write_text("")
        done = world.run("extensions", "config", "kit", "--set", "KIT_REGION=eu", "--scope", "workspace")
    elif blocked == "pisces.lock":
        (world.project / ".pisces" / "packages.toml").write_text('[packages.kit]\nsource = "./kit"\n')
        (world.project / blocked).mkdir()
        done = world.run("extensions", "lock")
    else:
        (world.project / blocked).mkdir()
        done = world.run("extensions", "install", "./kit", "--save")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert any(line.startswith(blocked) for line in done.stderr.splitlines()), done.stderr


@needs_mounts
def test_programs_read_it_as_json(world: World) -> None:
    accepted = asked(world)
    words = ("extensions", "install", "./kit", "--accept", accepted, "--output-format", "json")
    done = mounted(world, "read-only", *words)
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["diagnostics"]
    assert found["code"] == "disk-refused"
    assert found["path"].startswith(str(world.home))
    assert found["hint"]


def test_an_approval_that_cannot_be_stored_is_said(world: World) -> None:
    world.home.rmdir()
    world.home.write_text("")
    with pytest.raises(PiscesError) as error:
        remember_program(world.places, "/bin/true", ApprovedProgram("0" * 64, ()))
    assert error.value.diagnostic.code == "disk-refused"
    assert error.value.diagnostic.path.startswith(str(world.home))


@needs_mounts
@pytest.mark.parametrize("words", [("extensions", "list"), ("list",), ("doctor",), ("extensions", "info", "kit")])
def test_a_store_that_can_only_be_read_is_read(words: tuple[str, ...], world: World) -> None:
    world.install(world.package("kit"))
    done = mounted(world, "read-only", *words)
    assert done.returncode == 0, done.stderr


@needs_git
@needs_mounts
@pytest.mark.parametrize("kind", ["folder", "zip", "gztar", "git", "marketplace"])
def test_a_full_disk_is_blamed_and_not_the_source(kind: str, world: World, tmp_path: Path) -> None:
    folder = world.package("kit")
    (folder / "large").write_bytes(os.urandom(600_000))
    sources = {"folder": "./kit", "git": f"git+{tmp_path / 'repository'}", "marketplace": "kit@./market"}
    if kind in ("zip", "gztar"):
        sources[kind] = shutil.make_archive(str(tmp_path / "packed"), kind, folder)
    if kind == "git":
        shutil.copytree(folder, repository(tmp_path / "repository"), dirs_exist_ok=True)
        subprocess.run(["git", "add", "."], cwd=tmp_path / "repository", check=True)
        commit = ["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "large"]
        subprocess.run(commit, cwd=tmp_path / "repository", check=True)
    if kind == "marketplace":
        market = world.project / "market" / ".claude-plugin"
        market.mkdir(parents=True)
        listing = {"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "kit", "source": "./kit"}]}
        (market / "marketplace.json").write_text(json.dumps(listing))
        shutil.copytree(folder, world.project / "market" / "kit")
    done = mounted(world, "small", "extensions", "install", sources[kind])
    line = refused(done, "no space left on device")
    assert "[fetch-stopped]" in line
    assert line.startswith("~/.pisces/agent/packages")
    assert "source-unreadable" not in done.stderr
    assert "archive-broken" not in done.stderr
    assert "git-failed" not in done.stderr


@needs_mounts
@pytest.mark.parametrize("how", ["read-only", "full"])
def test_trust_that_cannot_be_stored_ends_in_no_traceback(how: str, world: World) -> None:
    module = world.project / ".pisces" / "extensions" / "one.py"
    module.parent.mkdir(parents=True)
    module.write_text("def extension(pisces): pass\n", "utf-8")
    done = mounted(world, how, "trust", ".", "--yes")
    assert "Traceback" not in done.stderr
    assert done.returncode != 0
    assert "hint: " in done.stderr


def test_what_cannot_be_read_is_still_the_source(world: World) -> None:
    if sys.platform == "win32":
        pytest.skip("pipes are made the POSIX way")
    folder = world.package("kit")
    (folder / "gone").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    done = world.run("extensions", "install", "./kit")
    assert done.returncode == 1
    assert "fetch-stopped" not in done.stderr
    assert "disk-refused" not in done.stderr
