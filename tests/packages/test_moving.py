"""A package that moves: under another name and to another place, with its settings, and only after consent to both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.packages.recorded import packages_with_values
from tests.packages.test_install import World

SETTINGS = [
    {"name": "Region", "envVar": "KIT_REGION"},
    {"name": "Key", "envVar": "KIT_KEY", "sensitive": True},
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    pytest.importorskip("cryptography")
    return World(tmp_path)


def write(folder: Path, name: str, **fields: object) -> Path:
    folder.mkdir(exist_ok=True)
    manifest = {"name": name, "version": "1.0.0", "settings": SETTINGS, **fields}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    return folder


def values(world: World, name: str) -> dict[str, tuple[str, str]]:
    done = world.run("extensions", "config", name, "--output-format", "json")
    return {each["env_var"]: (each["value"], each["source"]) for each in json.loads(done.stdout)}


def secrets(world: World) -> list[Path]:
    return sorted((world.home / ".pisces" / "agent" / "secrets").glob("*.secret"))


def agreed(world: World, *words: str) -> str:
    asked = world.run("extensions", *words)
    accepted = next(word for word in asked.stderr.split() if word.startswith("sha256:"))
    done = world.run("extensions", *words, "--accept", accepted)
    assert done.returncode == 0, done.stderr
    return asked.stderr


@pytest.fixture
def moving(world: World) -> World:
    """`kit` with values of every kind, whose manifest says that it is `better-kit` now, elsewhere."""
    new = write(world.project / "new-home", "better-kit")
    world.install(write(world.project / "kit", "kit", migratedTo=str(new)))
    assert world.run("extensions", "config", "kit", "--set", "KIT_REGION=eu").returncode == 0
    assert world.run("extensions", "config", "kit", "KIT_KEY", "--ask", given="hush\n").returncode == 0
    set_here = ("extensions", "config", "kit", "--scope", "workspace", "--set", "KIT_REGION=here")
    assert world.run(*set_here).returncode == 0
    return world


def test_a_new_name_has_the_settings_and_secrets_of_the_old_one(moving: World) -> None:
    before = secrets(moving)
    agreed(moving, "update", "kit")
    assert moving.listed() == {"better-kit": "1.0.0"}
    assert values(moving, "better-kit") == {"KIT_REGION": ("here", "workspace"), "KIT_KEY": ("***", "user")}
    assert packages_with_values(moving.places) == ["better-kit"]
    assert len(secrets(moving)) == 1
    assert secrets(moving) != before, "the old secret is gone"
    assert [each.name for each in (moving.project / ".pisces" / "settings").iterdir()] == ["better-kit.env"]
    assert moving.run("extensions", "update", "better-kit", "--dry-run").stdout.split()[1] == "current"


def test_the_secret_itself_is_carried(moving: World) -> None:
    from pisces.packages.settings.settings import Setting
    from pisces.packages.settings.values import Values

    agreed(moving, "update", "kit")
    read = Values("better-kit", moving.places).read([Setting("Key", "KIT_KEY", sensitive=True)])
    assert read.values["KIT_KEY"].text == "hush"


def test_new_name_and_new_source_are_among_the_changes(moving: World) -> None:
    shown = agreed(moving, "update", "kit")
    changes = shown[shown.index("changes:") :]
    assert "+ name: better-kit" in changes
    assert "- name: kit" in changes
    assert f"+ source: {moving.project / 'new-home'}" in changes
    assert f"- source: {moving.project / 'kit'}" in changes


def test_a_refused_move_leaves_everything_where_it_was(moving: World) -> None:
    before = secrets(moving)
    assert moving.run("extensions", "update", "kit").returncode == 1
    assert moving.listed() == {"kit": "1.0.0"}
    assert secrets(moving) == before
    assert values(moving, "kit") == {"KIT_REGION": ("here", "workspace"), "KIT_KEY": ("***", "user")}


def test_going_back_takes_the_values_along(moving: World) -> None:
    agreed(moving, "update", "kit")
    assert moving.run("extensions", "rollback", "better-kit").returncode == 0
    assert moving.listed() == {"kit": "1.0.0"}
    assert values(moving, "kit") == {"KIT_REGION": ("here", "workspace"), "KIT_KEY": ("***", "user")}
    assert packages_with_values(moving.places) == ["kit"]
    assert len(secrets(moving)) == 1


def test_going_back_never_takes_a_name_that_another_package_has_now(moving: World) -> None:
    agreed(moving, "update", "kit")
    world = moving
    world.install(write(world.project / "other", "kit", version="6.0.0"))
    assert world.run("extensions", "rollback", "better-kit").returncode == 1
    assert world.listed() == {"better-kit": "1.0.0", "kit": "6.0.0"}


def test_a_secret_that_cannot_be_reached_stops_the_move(moving: World) -> None:
    (moving.home / ".pisces" / "agent" / "secrets" / "key").unlink()
    asked = moving.run("extensions", "update", "kit")
    accepted = next(word for word in asked.stderr.split() if word.startswith("sha256:"))
    done = moving.run("extensions", "update", "kit", "--accept", accepted)
    assert done.returncode == 1
    assert "[secret-unreachable]" in done.stderr
    assert moving.listed() == {"kit": "1.0.0"}
    assert packages_with_values(moving.places) == ["kit"]
    assert values(moving, "kit")["KIT_REGION"] == ("here", "workspace")


def test_a_settings_file_of_the_repository_is_not_overwritten(moving: World) -> None:
    theirs = moving.project / ".pisces" / "settings" / "better-kit.env"
    theirs.write_text("KIT_REGION=theirs\n")
    agreed(moving, "update", "kit")
    assert theirs.read_text() == "KIT_REGION=theirs\n"
    assert values(moving, "better-kit")["KIT_REGION"] == ("eu", "user")


def test_the_same_files_at_another_place_are_asked_about_once(world: World) -> None:
    old, new = world.project / "kit", world.project / "new-home"
    for folder in (old, new):
        write(folder, "kit", migratedTo=str(new))
    world.install(old)
    assert world.run("extensions", "update", "kit", "--dry-run").stdout.split()[1] == "available"
    assert f"+ source: {new}" in agreed(world, "update", "kit")
    assert world.run("extensions", "update", "kit", "--dry-run").stdout.split()[1] == "current"


def test_a_move_is_followed_in_the_other_store_too(world: World) -> None:
    new = write(world.project / "new-home", "better-kit")
    agreed(world, "install", str(write(world.project / "kit", "kit", migratedTo=str(new))), "--to", "gemini")
    assert world.run("extensions", "config", "kit", "--set", "KIT_REGION=eu").returncode == 0
    assert "+ name: better-kit" in agreed(world, "update", "kit")
    assert world.listed() == {"better-kit": "1.0.0"}
    assert values(world, "better-kit")["KIT_REGION"][0] == "eu"
    assert world.run("extensions", "update", "better-kit", "--dry-run").stdout.split()[1] == "current"


def test_every_hash_that_is_named_counts(world: World) -> None:
    for name in ("one", "two", "three"):
        world.install(world.package(name))
        world.package(name, "2.0.0")
    asked = world.run("extensions", "update", "--all")
    hashes = [line.split()[-1] for line in asked.stderr.splitlines() if line.startswith("hash sha256:")]
    assert len(hashes) == 3
    done = world.run("extensions", "update", "--all", "--accept", hashes[0], "--accept", hashes[2])
    assert done.returncode == 1
    assert sorted(world.listed().values()) == ["1.0.0", "2.0.0", "2.0.0"]


def test_an_update_of_nothing_says_so(world: World) -> None:
    done = world.run("extensions", "update", "--all")
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing is installed" in done.stderr


def test_several_packages_are_updated_by_name(world: World) -> None:
    for name in ("one", "two", "three"):
        world.install(world.package(name))
        world.package(name, "2.0.0")
    asked = world.run("extensions", "update", "one", "two", "one")
    hashes = [line.split()[-1] for line in asked.stderr.splitlines() if line.startswith("hash sha256:")]
    assert len(hashes) == 2
    accepts = [word for each in hashes for word in ("--accept", each)]
    assert world.run("extensions", "update", "one", "two", *accepts).returncode == 0
    assert world.listed() == {"one": "2.0.0", "two": "2.0.0", "three": "1.0.0"}


@pytest.mark.parametrize(
    "text",
    ['{"packages": [', "[]", "null", '{"packages": 5}', '{"packages": [{}]}', '{"version": 2, "packages": []}', ""],
)
def test_a_listing_without_the_store_says_why_and_fails(text: str, world: World) -> None:
    world.install(world.package("review"))
    index = world.home / ".pisces" / "agent" / "packages" / "index.json"
    index.write_text(text)
    for words in (("extensions", "list"), ("list",), ("list", "commands")):
        done = world.run(*words)
        assert done.returncode == 1, words
        assert "[store-unreadable]" in done.stderr
        assert "no extensions found" not in done.stderr
        assert "move it away" in done.stderr
    assert world.run("extensions", "disable", "review").returncode == 1
    assert index.read_text() == text, "nothing is lost by another command"


def test_the_advice_for_a_broken_index_works(world: World) -> None:
    folder = write(world.project / "kit", "kit")
    world.install(folder)
    world.run("extensions", "config", "kit", "--set", "KIT_REGION=eu")
    index = world.home / ".pisces" / "agent" / "packages" / "index.json"
    index.write_text("{")
    index.rename(index.with_name("index.broken"))
    world.install(folder)
    assert values(world, "kit")["KIT_REGION"] == ("eu", "user")
