"""What somebody meets who installs for the first time: names that are nearly right, a monorepo, progress, a secret."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages.repositories import commit, git, needs_git, repository
from tests.packages.servers import serving_git
from tests.packages.test_install import World

PHASE = re.compile("Receiving|Counting|Compressing|Resolving|Enumerating|Updating")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def write(folder: Path, name: str, **fields: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gemini-extension.json").write_text(json.dumps({"name": name, "version": "1.0.0", **fields}))


def suggested(stderr: str) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in stderr.splitlines() if line.startswith("  pisces ")]


def market(folder: Path, *names: str) -> Path:
    (folder / ".claude-plugin").mkdir(parents=True)
    plugins = [{"name": name, "source": f"./plugins/{name}"} for name in names]
    (folder / ".claude-plugin" / "marketplace.json").write_text(
        json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": plugins})
    )
    for name in names:
        (folder / "plugins" / name / "commands").mkdir(parents=True)
        (folder / "plugins" / name / "commands" / "x.md").write_text("x")
    return folder


@pytest.mark.parametrize("act", ["install", "link"])
def test_a_monorepo_names_its_packages_with_a_command_that_works(act: str, world: World) -> None:
    for name in ("one", "two words", "$(touch owned)"):
        write(world.project / "mono" / "tools" / name, re.sub(r"\W", "", name))
    done = world.run("extensions", act, "./mono")
    assert done.returncode == 1
    assert "`tools/one`" in done.stderr
    commands = suggested(done.stderr)
    assert len(commands) == 3
    for command in commands:
        assert "hash sha256:" in world.run(*command).stderr, command
    assert not (world.project / "owned").exists()


@needs_git
def test_a_monorepo_behind_git_names_its_packages_too(world: World, tmp_path: Path) -> None:
    manifest = '{"name": "one", "version": "1"}'
    mono = repository(tmp_path / "mono", {"a/gemini-extension.json": manifest, "b/c/gemini-extension.json": manifest})
    git(mono, "tag", "v1")
    done = world.run("extensions", "install", f"git+{mono}", "--ref", "v1")
    commands = suggested(done.stderr)
    assert [command[-1] for command in commands] == ["a", "b/c"]
    for command in commands:
        assert "hash sha256:" in world.run(*command).stderr, command


def test_a_folder_without_any_package_says_just_that(world: World) -> None:
    (world.project / "empty").mkdir()
    done = world.run("extensions", "install", "./empty")
    assert "has no manifest that is known" in done.stderr
    assert suggested(done.stderr) == []


def test_a_marketplace_without_a_name_names_its_plugins(world: World) -> None:
    market(world.project / "market", "review", "deploy")
    commands = suggested(world.run("extensions", "install", "./market").stderr)
    assert [command[-1] for command in commands] == ["review@./market", "deploy@./market"]
    assert "hash sha256:" in world.run(*commands[0]).stderr


def test_names_in_a_marketplace_cannot_write_to_the_terminal(world: World) -> None:
    market(world.project / "market", "review")
    listing = world.project / "market" / ".claude-plugin" / "marketplace.json"
    listing.write_text(listing.read_text().replace('"review"', '"re\\u001b[2Jview; rm -rf"'))
    assert "\x1b" not in world.run("extensions", "install", "./market").stderr


@pytest.mark.parametrize(("typed", "meant"), [("rewiew", "review"), ("Review", "review"), ("depl", "deploy")])
def test_a_plugin_that_is_nearly_named_is_suggested(typed: str, meant: str, world: World) -> None:
    market(world.project / "market", "review", "deploy", *(f"other{number}" for number in range(30)))
    done = world.run("extensions", "install", f"{typed}@./market")
    assert done.returncode == 1
    assert f"did you mean `{meant}`?" in done.stderr


def test_a_plugin_like_no_other_gets_the_list(world: World) -> None:
    market(world.project / "market", "review", *(f"other{number}" for number in range(30)))
    done = world.run("extensions", "install", "zzz@./market")
    assert "there are: `review`" in done.stderr
    assert "and 19 more" in done.stderr


def test_a_marketplace_that_is_not_known_says_how_to_name_one(world: World) -> None:
    done = world.run("extensions", "install", "review@nowhere")
    assert done.returncode == 1
    assert "no marketplace at `nowhere`" in done.stderr
    assert "review@PLACE" in done.stderr
    assert "OWNER/REPO" in done.stderr


def test_help_tells_of_marketplaces(world: World) -> None:
    shown = world.run("extensions", "install", "--help").stdout
    assert "NAME@PLACE" in shown
    assert "review@owner/repo" in shown


@needs_git
def test_progress_of_git_is_nothing_where_nobody_looks(world: World, tmp_path: Path) -> None:
    kit = repository(tmp_path / "host" / "kit")
    commit(kit, {f"file{number}": str(number) for number in range(300)})
    with serving_git(tmp_path / "host") as server:
        done = world.run("extensions", "install", f"git+{server.url}/kit/.git")
    assert "hash sha256:" in done.stderr, done.stderr
    assert not PHASE.search(done.stderr), done.stderr
    assert done.stderr.count("at commit") == 1
    assert "\r" not in done.stderr


@needs_git
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX terminals")
def test_progress_of_git_is_one_line_that_moves_at_a_terminal(world: World, tmp_path: Path) -> None:
    from tests.packages.test_consent_at_terminal import at_terminal

    kit = repository(tmp_path / "host" / "kit")
    commit(kit, {f"file{number}": str(number) for number in range(300)})
    with serving_git(tmp_path / "host") as server:
        code, shown = at_terminal(world, b"n\n", "extensions", "install", f"git+{server.url}/kit/.git")
    assert code == 1
    assert PHASE.search(shown)
    for line in shown.split("\r\n"):
        parts = [part for part in line.split("\r") if PHASE.search(part)]
        assert all(part.startswith("\x1b[2K") for part in parts)
        assert not parts or line.rstrip().endswith("\x1b[2K") or "at commit" in line.split("\x1b[2K")[-1], line
    assert "\x1b[2Kat commit" in shown, "the line gives way to what follows"


# A package that asks for a secret, in an install without the libraries of the extra `secrets`.

BARE = (
    "import sys; sys.modules['keyring'] = sys.modules['cryptography'] = None; "
    "from pisces.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


def bare(world: World, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in world.env.items() if name != "PISCES_SECRETS_STORE"}
    return subprocess.run(
        [sys.executable, "-c", BARE, *words],
        cwd=world.project,
        env=env,
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def asking(world: World) -> World:
    settings = [
        {"name": "Key", "envVar": "KIT_KEY", "sensitive": True, "required": True},
        {"name": "Region", "envVar": "KIT_REGION", "required": True},
    ]
    write(world.project / "kit", "kit", settings=settings)
    world.install(world.project / "kit")
    return world


def files(world: World) -> list[Path]:
    return sorted(path for path in (world.home / ".pisces" / "agent" / "secrets").rglob("*") if path.is_file())


def test_the_hint_for_a_secret_is_no_value_on_the_command_line(asking: World) -> None:
    done = asking.run("extensions", "config", "kit")
    assert done.returncode == 1
    assert "KIT_KEY is needed: pisces extensions config kit KIT_KEY --ask" in done.stderr
    assert "KIT_REGION is needed: pisces extensions config kit --set KIT_REGION=VALUE" in done.stderr
    assert "KIT_KEY=" not in done.stderr
    forgot = asking.run("extensions", "config", "kit", "--set", "KIT_KEY")
    assert "KIT_KEY=" not in forgot.stderr
    assert "--ask" in forgot.stderr


def test_a_secret_on_the_command_line_is_taken_with_a_word_about_it(asking: World) -> None:
    done = asking.run("extensions", "config", "kit", "--set", "KIT_KEY=hush")
    assert "shell's history" in done.stderr
    assert "hush" not in done.stdout + done.stderr


def test_without_a_vault_a_secret_is_refused_with_both_ways_out(asking: World) -> None:
    done = bare(asking, "extensions", "config", "kit", "KIT_KEY", "--ask", given="hush\n")
    assert done.returncode == 1
    assert "[no-vault]" in done.stderr
    assert "pisces-agent[secrets]" in done.stderr
    assert "--insecure-storage" in done.stderr
    assert files(asking) == []


def test_a_plain_file_is_used_if_it_is_asked_for_and_says_what_it_is(asking: World) -> None:
    words = ("extensions", "config", "kit", "KIT_KEY", "--ask", "--insecure-storage")
    done = bare(asking, *words, given="hush\n")
    assert done.returncode == 0, done.stderr
    assert "not encrypted" in done.stderr
    assert "hush" not in done.stdout + done.stderr
    (stored,) = files(asking)
    assert stored.read_text() == "hush"
    if os.name != "nt":
        assert stat.S_IMODE(stored.stat().st_mode) == 0o600
        assert stat.S_IMODE(stored.parent.stat().st_mode) == 0o700
    shown = bare(asking, "extensions", "config", "kit", "KIT_KEY")
    assert "***" in shown.stdout
    assert "[secret-not-encrypted]" in shown.stderr, "every time, not only the first"
    assert bare(asking, "extensions", "uninstall", "kit").returncode == 0
    assert files(asking) == []


def test_a_secret_moves_from_the_plain_file_to_a_vault_and_back(asking: World) -> None:
    pytest.importorskip("cryptography")
    words = ("extensions", "config", "kit", "KIT_KEY", "--ask")
    bare(asking, *words, "--insecure-storage", given="hush\n")
    (plain,) = files(asking)
    assert asking.run(*words, given="hush\n").returncode == 0
    assert plain not in files(asking), "no copy stays in plain text"
    assert b"hush" not in b"".join(path.read_bytes() for path in files(asking))
    asking.run(*words, "--insecure-storage", given="hush\n")
    assert [path.suffix for path in files(asking) if path.suffix != ""] == [".plain"]


def test_a_plain_secret_follows_its_package_to_a_new_name(asking: World) -> None:
    bare(asking, "extensions", "config", "kit", "KIT_KEY", "--ask", "--insecure-storage", given="hush\n")
    settings = [{"name": "Key", "envVar": "KIT_KEY", "sensitive": True}]
    write(asking.project / "new-home", "better-kit", settings=settings)
    write(asking.project / "kit", "kit", settings=settings, migratedTo=str(asking.project / "new-home"))
    for name in ("kit", "kit"):  # first the version that says so, then the move
        card = bare(asking, "extensions", "update", name).stderr
        accepted = next(word for word in card.split() if word.startswith("sha256:"))
        done = bare(asking, "extensions", "update", name, "--accept", accepted)
        assert done.returncode == 0, done.stderr
    assert "***" in bare(asking, "extensions", "config", "better-kit").stdout
    (stored,) = files(asking)
    assert stored.read_text() == "hush"
