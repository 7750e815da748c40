"""Install, update, roll back, switch off, uninstall: through the front door, with consent bound to content."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.file_lock import file_lock
from pisces.packages.install import Installer
from pisces.packages.store.store import own_store, read_index
from pisces.packages.update import update
from pisces.places import Places
from tests.gates.judges import deciding
from tests.warm_shell import pisces


class World:
    """A home, a project, and the shell."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.home.mkdir()
        self.project.mkdir()
        self.env = {**os.environ, "HOME": str(self.home), "USERPROFILE": str(self.home), "NO_COLOR": "1"}
        self.env["PISCES_SECRETS_STORE"] = "file"  # never the keyring of whoever runs the tests

    @property
    def places(self) -> Places:
        return Places(str(self.home), str(self.project), self.env)

    def package(self, name: str, version: str = "1.0.0", **files: str) -> Path:
        folder = self.project / name
        folder.mkdir(exist_ok=True)
        (folder / "gemini-extension.json").write_text(json.dumps({"name": name, "version": version}))
        for path, text in files.items():
            target = folder / path.replace("__", "/").replace("_dot_", ".")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return folder

    def run(self, *words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        return pisces(*words, cwd=self.project, env=self.env, given=given)

    def install(self, folder: Path) -> str:
        """Reads the card, then agrees to it. Returns the hash."""
        card = self.run("extensions", "install", str(folder))
        accepted = next(word for word in card.stderr.split() if word.startswith("sha256:"))
        done = self.run("extensions", "install", str(folder), "--accept", accepted)
        assert done.returncode == 0, done.stderr
        return accepted

    def listed(self) -> dict[str, str]:
        done = self.run("extensions", "list", "--output-format", "json")
        return {each["name"]: each["version"] for each in json.loads(done.stdout)["extensions"]}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


COMMAND = 'prompt = "go"'


def test_without_a_terminal_and_without_a_hash_nothing_is_written(world: World) -> None:
    done = world.run("extensions", "install", str(world.package("review", commands__go_dot_toml=COMMAND)))
    assert done.returncode == 1
    assert "/go  commands/go.toml" in done.stderr
    assert "hash sha256:" in done.stderr
    assert "[consent-needed]" in done.stderr
    files = [path.relative_to(world.home).as_posix() for path in world.home.rglob("*") if path.is_file()]
    assert files == [".pisces/audit/log.jsonl"], "only a record of the refusal"


def test_the_end_of_input_at_the_prompt_is_a_no(world: World) -> None:
    done = world.run("extensions", "install", str(world.package("review")), given="")
    assert done.returncode == 1
    assert world.listed() == {}


def test_the_hash_on_the_card_is_consent(world: World) -> None:
    world.install(world.package("review", commands__go_dot_toml=COMMAND))
    assert world.listed() == {"review": "1.0.0"}
    assert "/go" in world.run("list", "commands").stdout


def test_a_hash_of_other_content_is_no_consent(world: World) -> None:
    folder = world.package("review")
    accepted = world.install(folder)
    world.run("extensions", "uninstall", "review")
    (folder / "GEMINI.md").write_text("do something else")
    done = world.run("extensions", "install", str(folder), "--accept", accepted)
    assert done.returncode == 1
    assert "[consent-hash-differs]" in done.stderr
    assert world.listed() == {}


def test_the_same_content_is_never_asked_about_again(world: World) -> None:
    folder = world.package("review")
    world.install(folder)
    done = world.run("extensions", "install", str(folder))
    assert done.returncode == 0
    assert "unchanged" in done.stdout
    assert done.stderr.count("hash sha256:") == 0


def test_another_package_of_the_same_name_is_refused(world: World) -> None:
    world.install(world.package("review"))
    (world.project / "other").mkdir()
    (world.project / "other" / "gemini-extension.json").write_text('{"name": "review", "version": "6.6.6"}')
    done = world.run("extensions", "install", "other")
    assert done.returncode == 1
    assert "[already-installed]" in done.stderr
    assert world.listed() == {"review": "1.0.0"}


def test_an_update_shows_what_changed_and_keeps_the_old_version(world: World) -> None:
    world.install(world.package("review", "1.0.0"))
    world.package("review", "2.0.0", commands__go_dot_toml=COMMAND)
    asked = world.run("extensions", "update", "review")
    assert asked.returncode == 1
    assert "+ command: /go" in asked.stderr
    assert "added commands/go.toml" in asked.stderr
    accepted = next(word for word in asked.stderr.split() if word.startswith("sha256:"))
    assert world.listed() == {"review": "1.0.0"}
    assert world.run("extensions", "update", "review", "--accept", accepted).returncode == 0
    assert world.listed() == {"review": "2.0.0"}
    assert world.run("extensions", "rollback", "review").returncode == 0
    assert world.listed() == {"review": "1.0.0"}
    assert world.run("extensions", "rollback", "review").returncode == 0
    assert world.listed() == {"review": "2.0.0"}


def test_an_update_whose_source_is_gone_loses_nothing(world: World) -> None:
    folder = world.package("review")
    world.install(folder)
    folder.rename(world.project / "elsewhere")
    done = world.run("extensions", "update", "--all")
    assert done.returncode == 1
    assert "failed" in done.stdout
    assert world.listed() == {"review": "1.0.0"}


def test_a_package_that_moved_is_followed_with_consent(world: World) -> None:
    world.install(world.package("review"))
    new = world.project / "new-home"
    new.mkdir()
    (new / "gemini-extension.json").write_text('{"name": "review", "version": "3.0.0"}')
    old = {"name": "review", "version": "1.1.0", "migratedTo": str(new)}
    (world.project / "review" / "gemini-extension.json").write_text(json.dumps(old))
    for version in ("1.1.0", "3.0.0"):
        asked = world.run("extensions", "update", "review")
        accepted = next(word for word in asked.stderr.split() if word.startswith("sha256:"))
        assert world.run("extensions", "update", "review", "--accept", accepted).returncode == 0
        assert world.listed() == {"review": version}


def test_a_dry_run_changes_nothing(world: World) -> None:
    world.install(world.package("review", "1.0.0"))
    world.package("review", "2.0.0")
    done = world.run("extensions", "update", "--all", "--dry-run")
    assert "available" in done.stdout
    assert world.listed() == {"review": "1.0.0"}


def test_disabled_for_the_user_means_everywhere(world: World) -> None:
    world.install(world.package("review", commands__go_dot_toml=COMMAND))
    assert world.run("extensions", "disable", "review").returncode == 0
    assert world.listed() == {}
    assert "/go" not in world.run("list", "commands").stdout
    assert "[package-off]" in world.run("extensions", "list").stderr
    assert world.run("extensions", "enable", "review", "--scope", "workspace").returncode == 0
    assert world.listed() == {"review": "1.0.0"}


def test_enabled_for_the_user_ends_every_disabled_folder(world: World) -> None:
    world.install(world.package("review"))
    world.run("extensions", "disable", "review", "--scope", "workspace")
    assert world.listed() == {}
    world.run("extensions", "enable", "review")
    assert world.listed() == {"review": "1.0.0"}


def test_uninstall_leaves_nothing_behind(world: World) -> None:
    world.install(world.package("review"))
    assert world.run("extensions", "uninstall", "review").returncode == 0
    assert world.listed() == {}
    assert list((world.home / ".pisces" / "agent" / "packages" / "trees").iterdir()) == []


def test_uninstall_of_something_unknown_suggests_and_changes_nothing(world: World) -> None:
    world.install(world.package("review"))
    done = world.run("extensions", "uninstall", "review", "revew")
    assert done.returncode == 1
    assert "did you mean `review`?" in done.stderr
    assert world.listed() == {"review": "1.0.0"}


def test_a_linked_folder_is_read_afresh(world: World) -> None:
    folder = world.package("review", "1.0.0")
    card = world.run("extensions", "link", str(folder))
    accepted = next(word for word in card.stderr.split() if word.startswith("sha256:"))
    assert world.run("extensions", "link", str(folder), "--accept", accepted).returncode == 0
    world.package("review", "1.1.0")
    assert world.listed() == {"review": "1.1.0"}
    world.run("extensions", "uninstall", "review")
    assert (folder / "gemini-extension.json").exists()


def test_info_notices_that_somebody_changed_the_files(world: World) -> None:
    world.install(world.package("review", commands__go_dot_toml=COMMAND))
    assert world.run("extensions", "info", "review").returncode == 0
    tree = next((world.home / ".pisces" / "agent" / "packages" / "trees").iterdir())
    (tree / "commands" / "go.toml").write_text('prompt = "something else"')
    done = world.run("extensions", "info", "review")
    assert done.returncode == 1
    assert "changed since they were installed" in done.stderr


def test_a_package_whose_files_are_gone_is_named(world: World) -> None:
    world.install(world.package("review"))
    world.install(world.package("other"))
    tree = next((world.home / ".pisces" / "agent" / "packages" / "trees").glob("review-*"))
    (tree / "gemini-extension.json").unlink()
    done = world.run("extensions", "list")
    assert "[package-damaged]" in done.stderr
    assert world.listed() == {"other": "1.0.0"}


def test_a_broken_index_is_never_overwritten(world: World) -> None:
    world.install(world.package("review"))
    index = world.home / ".pisces" / "agent" / "packages" / "index.json"
    index.write_text(index.read_text()[:-20])
    before = index.read_text()
    done = world.run("extensions", "uninstall", "review")
    assert done.returncode == 1
    assert "[store-index-broken]" in done.stderr
    assert index.read_text() == before
    assert "[store-unreadable]" in world.run("extensions", "list").stderr


def test_other_formats_are_installed_too(world: World) -> None:
    skill = world.project / "proofreading"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: proofreading\ndescription: Reads proofs.\n---\nRead.")
    world.install(skill)
    plugin = world.project / "notes"
    (plugin / ".claude-plugin").mkdir(parents=True)
    (plugin / ".claude-plugin" / "plugin.json").write_text('{"name": "notes", "version": "0.1.0"}')
    (plugin / "commands").mkdir()
    (plugin / "commands" / "note.md").write_text("Take a note: $ARGUMENTS")
    world.install(plugin)
    assert set(world.listed()) == {"proofreading", "notes"}
    assert "proofreading" in world.run("list", "skills").stdout
    assert "note" in world.run("list", "commands").stdout


def with_settings(world: World) -> Path:
    folder = world.package("weather")
    settings = [
        {"name": "Region", "description": "Where", "envVar": "REGION"},
        {"name": "Key", "description": "The key", "envVar": "WEATHER_KEY", "sensitive": True},
    ]
    manifest = {"name": "weather", "version": "1.0.0", "settings": settings}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    return folder


def test_a_package_with_settings_says_so_when_it_is_installed(world: World) -> None:
    folder = with_settings(world)
    card = world.run("extensions", "install", str(folder), "--full-card").stderr
    assert "gemini-extension.json" in card
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    done = world.run("extensions", "install", str(folder), "--accept", accepted)
    assert "it asks for REGION, WEATHER_KEY: pisces extensions config weather --ask" in done.stderr


def test_settings_are_stored_shown_and_forgotten(world: World) -> None:
    world.install(with_settings(world))
    done = world.run("extensions", "config", "weather", "--set", "REGION=eu", "--set", "WEATHER_KEY=hunter2")
    assert done.returncode == 0, done.stderr
    assert "REGION       eu   user" in done.stdout
    assert "***" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr
    everything = b"".join(path.read_bytes() for path in world.home.rglob("*") if path.is_file())
    assert b"hunter2" not in everything
    world.run("extensions", "uninstall", "weather")
    world.install(with_settings(world))
    assert "[not set]" in world.run("extensions", "config", "weather", "WEATHER_KEY").stdout
    assert "eu" not in world.run("extensions", "config", "weather", "REGION").stdout


def test_settings_that_are_needed_and_missing_are_problems(world: World) -> None:
    folder = world.package("weather")
    settings = [
        {"name": "Host", "description": "Where to ask", "envVar": "WEATHER_HOST", "required": True},
        {"name": "Region", "description": "Where", "envVar": "WEATHER_REGION"},
    ]
    manifest = {"name": "weather", "version": "1.0.0", "settings": settings}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    world.install(folder)
    needed = "WEATHER_HOST is needed: pisces extensions config weather --set WEATHER_HOST=VALUE"
    for words in ((), ("WEATHER_HOST",), ("--set", "WEATHER_REGION=eu")):
        done = world.run("extensions", "config", "weather", *words)
        assert done.returncode == 1, words
        assert needed in done.stderr
    for_programs = world.run("extensions", "config", "weather", "--output-format", "json")
    assert for_programs.returncode == 1
    assert len(json.loads(for_programs.stdout)) == 2
    one_that_is_optional = world.run("extensions", "config", "weather", "WEATHER_REGION")
    assert (one_that_is_optional.returncode, one_that_is_optional.stderr) == (0, "")
    stored = world.run("extensions", "config", "weather", "--set", "WEATHER_HOST=weather.test")
    assert (stored.returncode, stored.stderr) == (0, "")
    assert world.run("extensions", "config", "weather", "--set", "WEATHER_HOST=").returncode == 1


def test_settings_that_are_missing_in_the_store_of_gemini_are_problems_too(world: World) -> None:
    folder = world.home / ".gemini/extensions/weather"
    folder.mkdir(parents=True)
    settings = [
        {"name": "Host", "description": "Where to ask", "envVar": "WEATHER_HOST", "required": True},
        {"name": "Key", "description": "From you", "envVar": "WEATHER_KEY", "required": True, "sensitive": True},
        {"name": "Region", "description": "Where", "envVar": "WEATHER_REGION"},
    ]
    manifest = {"name": "weather", "version": "1.0.0", "settings": settings}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    done = world.run("extensions", "config", "weather")
    assert done.returncode == 1
    assert "WEATHER_HOST is needed: pisces extensions config weather --set WEATHER_HOST=VALUE" in done.stderr
    assert "WEATHER_KEY" not in done.stderr, "only Gemini CLI can read its keychain"
    assert world.run("extensions", "config", "weather", "--set", "WEATHER_HOST=weather.test").returncode == 0
    assert world.run("extensions", "config", "weather", "WEATHER_REGION").returncode == 0


def test_an_unknown_setting_is_an_error(world: World) -> None:
    world.install(with_settings(world))
    done = world.run("extensions", "config", "weather", "--set", "REGIN=eu")
    assert done.returncode == 1
    assert "[setting-unknown]" in done.stderr


def test_the_end_of_input_at_a_setting_changes_nothing(world: World) -> None:
    world.install(with_settings(world))
    done = world.run("extensions", "config", "weather", "--ask", given="eu\n")
    assert done.returncode == 1
    assert "[settings-unanswered]" in done.stderr
    assert "[not set]" in world.run("extensions", "config", "weather", "REGION").stdout


def test_names_that_differ_only_in_case_clash(world: World) -> None:
    world.install(world.package("review"))
    done = world.run("extensions", "install", str(world.package("Review")))
    assert done.returncode == 1
    assert "[already-installed]" in done.stderr


def test_a_new_package_can_be_linked_at_once(world: World) -> None:
    assert world.run("extensions", "new", "tidy", "skills").returncode == 0
    assert world.run("check", "tidy", "--strict").returncode == 0
    card = world.run("extensions", "link", "tidy").stderr
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    assert world.run("extensions", "link", "tidy", "--accept", accepted).returncode == 0
    assert world.run("extensions", "validate", "tidy").returncode == 0


def test_a_folder_without_a_manifest_is_no_package(world: World) -> None:
    (world.project / "docs").mkdir()
    done = world.run("extensions", "install", "docs")
    assert done.returncode == 1
    assert "[not-a-package]" in done.stderr


def test_two_at_once_both_end_well(world: World) -> None:
    """Eight packages by eight processes: every one is there, none is lost."""
    folders = [world.package(f"package-{number}") for number in range(8)]
    hashes = []
    for folder in folders:
        card = world.run("extensions", "install", str(folder)).stderr
        hashes.append(next(word for word in card.split() if word.startswith("sha256:")))
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "pisces", "extensions", "install", str(folder), "--accept", accepted],
            cwd=world.project,
            env=world.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder, accepted in zip(folders, hashes, strict=True)
    ]
    for process in running:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    assert set(world.listed()) == {folder.name for folder in folders}


def test_installing_again_mends_files_that_somebody_changed(world: World) -> None:
    folder = world.package("review", commands__go_dot_toml=COMMAND)
    world.install(folder)
    tree = next((world.home / ".pisces" / "agent" / "packages" / "trees").iterdir())
    (tree / "commands" / "go.toml").write_text('prompt = "something else"')
    done = world.run("extensions", "install", str(folder))
    assert done.returncode == 0, done.stderr
    assert world.run("extensions", "info", "review").returncode == 0


def test_a_linked_package_has_no_updates(world: World) -> None:
    folder = world.package("review")
    card = world.run("extensions", "link", str(folder)).stderr
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    world.run("extensions", "link", str(folder), "--accept", accepted)
    done = world.run("extensions", "update", "review")
    assert "linked" in done.stdout
    shop = Installer(own_store(world.places), world.places, deciding(lambda _asked: True), lambda _text: None)
    with pytest.raises(PiscesError) as refused:
        update(read_index(shop.store)["review"], shop)
    assert refused.value.diagnostic.code == "package-linked"


def test_a_package_that_cannot_load_is_not_installed(world: World) -> None:
    folder = world.package("review")
    (folder / "gemini-extension.json").write_text('{"name": "My Review", "version": "1.0.0"}')
    done = world.run("extensions", "install", str(folder))
    assert done.returncode == 1
    assert "[package-unusable]" in done.stderr


def test_a_name_that_is_a_path_is_refused(world: World) -> None:
    plugin = world.project / "notes" / ".claude-plugin"
    plugin.mkdir(parents=True)
    (plugin / "plugin.json").write_text('{"name": "../../escape", "version": "1.0.0"}')
    done = world.run("extensions", "install", "notes")
    assert done.returncode == 1
    assert "[package-name-unsafe]" in done.stderr
    assert list(world.home.iterdir()) == []


def test_there_is_nothing_to_go_back_to_after_the_first_install(world: World) -> None:
    world.install(world.package("review"))
    done = world.run("extensions", "rollback", "review")
    assert done.returncode == 1
    assert "[no-other-version]" in done.stderr


def test_a_writer_that_does_not_finish_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    path = str(tmp_path / "store" / ".lock")
    with file_lock(path, print), pytest.raises(PiscesError) as refused, file_lock(path, print, patience=0.2):
        pass
    assert refused.value.diagnostic.code == "store-busy"


def test_a_lock_file_that_was_removed_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "store" / ".lock"
    with file_lock(str(path), print):
        path.unlink()
        with file_lock(str(path), print, patience=1):
            assert path.exists()


def test_what_is_saved_can_be_locked_and_synced_by_a_teammate(world: World, tmp_path: Path) -> None:
    card = world.run("extensions", "install", str(world.package("review"))).stderr
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    assert world.run("extensions", "install", "./review", "--save", "--accept", accepted).returncode == 0
    assert 'source = "./review"' in (world.project / ".pisces" / "packages.toml").read_text()
    assert world.run("extensions", "lock").returncode == 0
    world.env["HOME"] = world.env["USERPROFILE"] = str(tmp_path / "teammate")
    assert world.listed() == {}
    done = world.run("extensions", "sync", "--frozen", "--accept-lock")
    assert done.returncode == 0, done.stderr
    assert world.listed() == {"review": "1.0.0"}


def test_no_value_of_the_environment_is_on_the_card(world: World) -> None:
    folder = world.package("review")
    server = {"command": "serve", "args": ["$SECRET_TOKEN"], "env": {"KEY": "${SECRET_TOKEN}"}}
    manifest = {"name": "review", "version": "1.0.0", "mcpServers": {"docs": server}}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest))
    world.env["SECRET_TOKEN"] = "hunter2"
    done = world.run("extensions", "install", str(folder))
    assert "serve $SECRET_TOKEN" in done.stderr
    assert "hunter2" not in done.stderr
    world.install(folder)
    shown = world.run("list").stdout + world.run("list", "--output-format", "json").stdout
    assert "hunter2" not in shown + world.run("extensions", "info", "review").stdout


def test_settings_of_geminis_store_go_where_gemini_looks(world: World) -> None:
    folder = with_settings(world)
    card = world.run("extensions", "install", str(folder), "--to", "gemini").stderr
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    assert world.run("extensions", "install", str(folder), "--to", "gemini", "--accept", accepted).returncode == 0
    done = world.run("extensions", "config", "weather", "--set", "REGION=eu", "--set", "WEATHER_KEY=hunter2")
    assert done.returncode == 0, done.stderr
    assert "gemini extensions config weather WEATHER_KEY" in done.stderr
    env = world.home / ".gemini" / "extensions" / "weather" / ".env"
    assert env.read_text() == "REGION=eu\n"
