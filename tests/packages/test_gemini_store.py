"""Gemini CLI's own store: written as it writes it, with our consent, and managed whoever installed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import PiscesError
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.registry import discover
from pisces.harnesses.gemini.store import act
from pisces.harnesses.gemini.store.journal import PLACE, REMOVE, Journal
from pisces.harnesses.gemini.store.layout import GeminiStore, gemini_store, state_of
from pisces.harnesses.gemini.store.metadata import metadata_of
from pisces.harnesses.gemini.store.stored import read_index, stored_extensions
from pisces.harnesses.gemini.store.swap import swap
from pisces.harnesses.gemini.store.updates import check_all, update
from pisces.packages.fetching import Fetched
from pisces.packages.fetching.source import PackageSource, parse_source
from pisces.packages.install import Installer, InstallRequest, Outcome
from pisces.packages.store.store import own_store
from pisces.packages.store.tree import tree_of
from pisces.packages.update import UpdateCheck
from pisces.places import Places
from tests.gates.judges import deciding
from tests.packages.repositories import commit, needs_git, repository

INSTALL_FILE = ".gemini-extension-install.json"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


class World:
    """A home, a folder to work in outside of it, and somebody who says yes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        (root / "work").mkdir()
        self.places = Places(str(self.home), str(root / "work"), {"PATH": os.environ.get("PATH", os.defpath)})
        self.asked: list[InstallRequest] = []
        self.told: list[str] = []
        self.answer = True

    @property
    def shop(self) -> Installer:
        return Installer(own_store(self.places), self.places, deciding(self._decide), self.told.append)

    def _decide(self, asked: InstallRequest) -> bool:
        self.asked.append(asked)
        return self.answer

    @property
    def store(self) -> GeminiStore:
        return gemini_store(self.places)

    def extension(self, version: str = "1.0.0", name: str = "review", folder: str = "source") -> Path:
        path = self.root / folder
        shutil.rmtree(path, ignore_errors=True)
        (path / "commands").mkdir(parents=True)
        (path / "gemini-extension.json").write_text(json.dumps({"name": name, "version": version}))
        (path / "commands" / "look.toml").write_text(f'prompt = "{version}"')
        return path

    def install(self, path: Path) -> Outcome:
        return act.install(parse_source(str(path), self.places), self.shop)

    def by_gemini(self, metadata: dict[str, Any] | None, version: str = "1.0.0", name: str = "review") -> Path:
        """As Gemini CLI leaves an extension."""
        source = self.extension(version, name)
        folder = self.home / ".gemini" / "extensions" / name
        shutil.copytree(source, folder)
        if metadata is not None:
            (folder / INSTALL_FILE).write_text(json.dumps({"source": str(source), "type": "local", **metadata}))
        self.set_rules({name: {"overrides": [f"{self.home}/*"]}})
        return folder

    def set_rules(self, rules: object) -> None:
        path = Path(self.store.enablement_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rules if isinstance(rules, str) else json.dumps(rules, indent=2))

    @property
    def rules(self) -> Any:
        return json.loads(Path(self.store.enablement_path).read_text())

    def file(self, name: str, extension: str = "review") -> Path:
        return self.home / ".gemini" / "extensions" / extension / name

    def listed(self, cwd: Path | None = None) -> list[str]:
        """Those that are on: what is off is listed too, with a note."""
        discovered = discover(PACKAGES, self.places.replace(cwd=str(cwd)) if cwd else self.places)
        off = [each.about for each in discovered.diagnostics if each.code == "package-disabled"]
        return [each.item.name for each in discovered.items if each.item.name not in off]

    def checked(self, name: str = "review") -> UpdateCheck:
        return next(iter(check_all([read_index(self.places)[name]], self.shop)))

    def update(self, name: str = "review") -> bool:
        return update(read_index(self.places)[name], self.shop)[1]

    def version(self, name: str = "review") -> str:
        return read_index(self.places)[name].version


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def code_of(error: pytest.ExceptionInfo[PiscesError]) -> str:
    return error.value.diagnostic.code


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_an_extension_lies_there_as_gemini_cli_would_have_put_it(world: World) -> None:
    source = world.extension()
    outcome = world.install(source)
    assert below(world.file("")) == [INSTALL_FILE, "commands/look.toml", "gemini-extension.json"]
    assert world.file(INSTALL_FILE).read_text() == f'{{\n  "source": "{source}",\n  "type": "local"\n}}'
    assert Path(world.store.enablement_path).read_text() == json.dumps({"review": {"overrides": ["/*"]}}, indent=2)
    assert world.listed() == ["review"]
    assert outcome.package.tree == world.asked[0].card.hash == outcome.card.hash


def test_what_we_know_lies_where_gemini_cli_does_not_look(world: World) -> None:
    world.install(world.extension())
    assert sorted(os.listdir(world.store.extensions)) == ["extension-enablement.json", "review"]
    assert json.loads(Path(world.store.record_path("review")).read_text())["agreed"] == world.asked[0].card.hash


def test_without_consent_nothing_is_written(world: World) -> None:
    world.answer = False
    with pytest.raises(PiscesError) as error:
        world.install(world.extension())
    assert code_of(error) == "consent-needed"
    assert list(world.home.iterdir()) == []


def test_the_same_files_are_not_asked_about_again(world: World) -> None:
    source = world.extension()
    world.install(source)
    assert not world.install(source).changed
    assert len(world.asked) == 1


def test_a_package_of_another_format_is_refused(world: World) -> None:
    skill = world.root / "greet"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: greet\ndescription: Says hello\n---\nHello")
    with pytest.raises(PiscesError) as error:
        world.install(skill)
    assert code_of(error) == "not-for-gemini"
    with pytest.raises(PiscesError) as error:
        act.link(str(skill), world.shop)
    assert code_of(error) == "not-for-gemini"
    assert list(world.home.iterdir()) == []


def test_a_package_for_several_tools_goes_there_as_an_extension(world: World) -> None:
    source = world.extension()
    (source / ".claude-plugin").mkdir()
    (source / ".claude-plugin" / "plugin.json").write_text('{"name": "review-plugin"}')
    assert world.install(source).package.name == "review"


@pytest.mark.parametrize("name", ["review", "REVIEW"])
def test_a_name_is_not_taken_twice(world: World, name: str) -> None:
    world.install(world.extension())
    with pytest.raises(PiscesError) as error:
        world.install(world.extension("9.0.0", name, "elsewhere"))
    assert code_of(error) == "already-installed"
    assert world.version() == "1.0.0"


def test_an_update_keeps_settings_rules_and_the_version_before(world: World) -> None:
    source = world.extension()
    world.install(source)
    act.disable("review", "workspace", world.shop)
    world.file(".env").write_text("PORT=1\n")
    world.file(".env").chmod(0o600)
    rules = world.rules
    world.extension("2.0.0")
    assert world.update()
    assert (world.version(), world.file(".env").read_text(), world.rules) == ("2.0.0", "PORT=1\n", rules)
    assert world.file(".env").stat().st_mode & 0o777 == 0o600
    world.file(".env").write_text("PORT=2\n")
    assert act.rollback("review", world.shop).version == "1.0.0"
    assert world.file("commands/look.toml").read_text() == 'prompt = "1.0.0"'
    assert world.file(".env").read_text() == "PORT=2\n"
    assert act.rollback("review", world.shop).version == "2.0.0"
    assert not world.update()


def test_an_update_shows_the_package_before_it_without_what_the_store_adds(world: World) -> None:
    world.install(world.extension())
    world.extension("2.0.0")
    world.update()
    asked = world.asked[1]
    assert asked.installed
    assert (asked.installed.version, INSTALL_FILE in asked.beside) == ("1.0.0", True)


def test_a_failed_update_loses_nothing(world: World) -> None:
    source = world.extension()
    world.install(source)
    (source / "gemini-extension.json").write_text("{broken")
    with pytest.raises(PiscesError):
        world.update()
    world.extension("2.0.0")
    world.answer = False
    with pytest.raises(PiscesError):
        world.update()
    assert world.version() == "1.0.0"
    assert world.file("commands/look.toml").read_text() == 'prompt = "1.0.0"'


def test_an_update_that_renames_takes_the_rules_along_and_back(world: World) -> None:
    world.install(world.extension())
    act.disable("review", "workspace", world.shop)
    rules = world.rules["review"]
    world.extension("2.0.0", "inspect")
    assert world.update()
    assert world.rules == {"inspect": rules}
    assert list(read_index(world.places)) == ["inspect"]
    assert not world.file("").exists()
    assert act.rollback("inspect", world.shop).name == "review"
    assert (list(read_index(world.places)), world.rules) == (["review"], {"review": rules})
    assert act.rollback("review", world.shop).version == "2.0.0"


def test_an_update_does_not_rename_onto_another_extension(world: World) -> None:
    world.install(world.extension("1.0.0", "inspect", "other"))
    world.install(world.extension())
    world.extension("2.0.0", "inspect")
    with pytest.raises(PiscesError) as error:
        world.update()
    assert code_of(error) == "already-installed"
    assert sorted(read_index(world.places)) == ["inspect", "review"]


def test_there_is_no_rollback_without_a_version_before(world: World) -> None:
    world.install(world.extension())
    with pytest.raises(PiscesError) as error:
        act.rollback("review", world.shop)
    assert code_of(error) == "no-other-version"


def test_a_user_scope_means_everywhere_also_outside_of_home(world: World) -> None:
    world.install(world.extension())
    act.disable("review", "user", world.shop)
    assert world.rules == {"review": {"overrides": ["!/*"]}}
    assert world.listed() == world.listed(world.home) == world.listed(Path("/")) == []
    act.enable("review", "user", world.shop)
    assert world.rules == {"review": {"overrides": ["/*"]}}
    assert world.listed() == ["review"]


def test_a_workspace_scope_means_here_and_below(world: World) -> None:
    world.install(world.extension())
    act.disable("review", "workspace", world.shop)
    assert world.rules["review"]["overrides"] == ["/*", f"!{world.places.cwd}/*"]
    assert world.listed() == world.listed(world.root / "work" / "deep") == []
    assert world.listed(world.home) == ["review"]


def test_enabling_for_the_user_ends_every_disable(world: World) -> None:
    world.install(world.extension())
    act.disable("review", "workspace", world.shop)
    act.enable("review", "user", world.shop)
    assert world.listed() == ["review"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  "review": {"overrides": ["!/*"]\n', 3),
        ("[]", 1),
        ('{\n  "review": {"overrides": ["!/*"]},\n  "lint": {"overrides": [7]}\n}', 3),
        ('{\n  "lint": []}', 2),
    ],
)
def test_a_broken_enablement_file_is_never_written_over(world: World, text: str, line: int) -> None:
    world.install(world.extension())
    other = world.extension("1.0.0", "other", "other")
    world.set_rules(text)
    before = below(world.home)
    for attempt in (
        lambda: act.disable("review", "user", world.shop),
        lambda: act.uninstall("review", world.shop),
        lambda: world.install(other),
        lambda: act.link(str(other), world.shop),
    ):
        with pytest.raises(PiscesError) as error:
            attempt()
        assert (code_of(error), error.value.diagnostic.line) == ("enablement-broken", line)
    assert Path(world.store.enablement_path).read_text() == text
    world.set_rules("{}")
    act.enable("review", "user", world.shop)  # and sweeps up
    assert below(world.home) == before


def test_rules_of_others_stay_as_they_are(world: World) -> None:
    rules = {"lint": {"overrides": ["/a/", "!/b/*"]}}
    world.set_rules(rules)
    world.install(world.extension())
    act.uninstall("review", world.shop)
    assert world.rules == rules


def test_an_uninstall_leaves_nothing(world: World) -> None:
    world.install(world.extension())
    world.extension("2.0.0")
    world.update()
    assert act.uninstall("review", world.shop).version == "2.0.0"
    assert below(world.home) == [".gemini/.pisces/.lock", ".gemini/extensions/extension-enablement.json"]
    assert world.rules == {}
    with pytest.raises(PiscesError) as error:
        act.uninstall("review", world.shop)
    assert code_of(error) == "not-installed"


def test_an_extension_is_also_known_by_its_source(world: World) -> None:
    source = world.extension()
    world.install(source)
    assert act.uninstall(str(source), world.shop).name == "review"


def test_a_link_is_a_note_and_leaves_the_folder_alone(world: World) -> None:
    source = world.extension()
    act.link(str(source), world.shop)
    assert below(world.file("")) == [INSTALL_FILE]
    assert json.loads(world.file(INSTALL_FILE).read_text()) == {"source": str(source), "type": "link"}
    world.extension("2.0.0")
    assert (world.version(), world.listed()) == ("2.0.0", ["review"])
    assert world.checked().state == "linked"
    act.disable("review", "user", world.shop)
    assert world.listed() == []
    act.uninstall("review", world.shop)
    assert (source / "gemini-extension.json").exists()
    assert world.listed() == []


def test_what_gemini_cli_installed_is_managed_too(world: World) -> None:
    world.by_gemini({})
    assert read_index(world.places)["review"].tree == ""
    act.disable("review", "user", world.shop)
    assert world.rules == {"review": {"overrides": ["!/*"]}}
    world.extension("2.0.0")
    assert world.checked().state == "available"
    assert world.update()
    assert (world.version(), world.rules) == ("2.0.0", {"review": {"overrides": ["!/*"]}})
    assert act.rollback("review", world.shop).version == "1.0.0"
    act.uninstall("review", world.shop)
    assert not world.file("").exists()


def test_a_source_that_nobody_noted_cannot_be_updated(world: World) -> None:
    world.by_gemini(None)
    assert world.checked().state == "unknown"


def test_a_record_is_not_believed_after_gemini_cli_has_changed_the_extension(world: World) -> None:
    world.install(world.extension())
    note = {"source": "https://github.com/a/b", "type": "github-release", "releaseTag": "v3"}
    world.file(INSTALL_FILE).write_text(json.dumps(note))
    package = read_index(world.places)["review"]
    assert (package.tree, package.tag, package.source["kind"]) == ("", "v3", "github-release")


def test_a_note_that_gemini_cli_signed_keeps_its_words(world: World) -> None:
    folder = world.by_gemini({"autoUpdate": True})
    note = (folder / INSTALL_FILE).read_text()
    text = json.dumps(json.loads(note), sort_keys=True, separators=(",", ":"))
    signed = hashlib.sha256(text.encode()).hexdigest()
    world.home.joinpath(".gemini", "extension_integrity.json").write_text(
        json.dumps({"store": {"review": {"hash": signed, "signature": "x"}}, "signature": "x"})
    )
    world.extension("2.0.0")
    world.update()
    assert json.loads(world.file(INSTALL_FILE).read_text()) == json.loads(note)
    assert not [text for text in world.told if "signed" in text]
    act.uninstall("review", world.shop)
    world.install(world.extension("3.0.0", "review", "elsewhere"))
    assert [text for text in world.told if "signed" in text]


@pytest.mark.parametrize(
    ("fetched", "metadata"),
    [
        (Fetched("", PackageSource("folder", "/a", subdir="b/c")), {"source": "/a/b/c", "type": "local"}),
        (Fetched("", PackageSource("git", "https://h/r.git"), COMMIT), {"source": "https://h/r.git", "type": "git"}),
        (
            Fetched("", PackageSource("git", "https://h/r.git", "v1"), COMMIT, "v1"),
            {"source": "https://h/r.git", "type": "git", "ref": "v1"},
        ),
        (
            Fetched("", PackageSource("github-release", "https://github.com/a/b", pre_release=True), "", "v2"),
            {"source": "https://github.com/a/b", "type": "github-release", "releaseTag": "v2", "allowPreRelease": True},
        ),
        (
            Fetched("", PackageSource("git", "https://h/r.git", subdir="kit"), COMMIT),
            {"source": "https://h/r.git --subdir kit", "type": "local"},
        ),
        (Fetched("", PackageSource("archive", "/a/kit.zip")), {"source": "/a/kit.zip", "type": "local"}),
    ],
)
def test_the_note_says_what_gemini_cli_can_use(fetched: Fetched, metadata: dict[str, object]) -> None:
    assert metadata_of(fetched) == metadata


@needs_git
def test_a_git_extension_has_the_commit_where_gemini_cli_looks_for_it(world: World) -> None:
    path = repository(world.root / "kit", {"gemini-extension.json": '{"name": "kit", "version": "1.0.0"}'})
    act.install(parse_source(f"git+file://{path}", world.places), world.shop)
    folder = world.file("", "kit")
    command = ["git", "-C", str(folder)]
    head = subprocess.run([*command, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    remote = subprocess.run([*command, "remote", "-v"], capture_output=True, text=True, check=True).stdout.split()
    assert (head, remote[:2]) == (read_index(world.places)["kit"].commit, ["origin", f"file://{path}"])
    assert world.checked("kit").state == "current"
    commit(path, {"gemini-extension.json": '{"name": "kit", "version": "2.0.0"}'})
    assert world.checked("kit").state == "available"
    assert world.update("kit")
    assert world.version("kit") == "2.0.0"
    assert world.checked("kit").state == "current"


def test_a_clone_of_gemini_cli_is_updated_from_its_repository(world: World) -> None:
    folder = world.by_gemini({"source": "https://host.invalid/review.git", "type": "git", "ref": "main"})
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text(COMMIT + "\n")
    package = read_index(world.places)["review"]
    assert package.commit == COMMIT
    assert package.source == {"kind": "git", "location": "https://host.invalid/review.git", "ref": "main"}


def test_an_empty_folder_that_an_interrupted_install_left_is_taken_over(world: World) -> None:
    world.file("").mkdir(parents=True)
    world.install(world.extension())
    assert world.listed() == ["review"]


def test_an_extension_that_gemini_cli_skips_can_be_taken_away(world: World) -> None:
    world.file("").mkdir(parents=True)
    world.file("gemini-extension.json").write_text("{broken")
    with pytest.raises(PiscesError) as error:
        world.install(world.extension())
    assert code_of(error) == "already-installed"
    act.uninstall("review", world.shop)
    assert not world.file("").exists()


def test_an_extension_that_is_a_link_of_the_disk_loses_only_the_link(world: World) -> None:
    source = world.extension()
    source.chmod(0o755)
    world.file("").parent.mkdir(parents=True)
    world.file("").symlink_to(source)
    act.uninstall("review", world.shop)
    assert not world.file("").is_symlink()
    assert (source / "gemini-extension.json").exists()
    assert source.stat().st_mode & 0o777 == 0o755


def test_an_old_version_on_its_way_out_comes_back_where_no_journal_speaks_of_it(world: World) -> None:
    world.install(world.extension())
    outgoing = Path(world.store.outgoing("review"))
    outgoing.parent.mkdir()
    world.file("").rename(outgoing)
    Path(world.store.journal_path).write_text('{"of": "another version of pisces"}')
    act.enable("review", "user", world.shop)
    assert world.file("gemini-extension.json").exists()


def test_a_link_is_not_taken_for_the_same_files_installed(world: World) -> None:
    source = world.extension()
    act.link(str(source), world.shop)
    with pytest.raises(PiscesError) as error:
        world.install(source)
    assert code_of(error) == "already-installed"


def test_while_an_update_is_between_two_renames_the_old_version_is_listed(world: World) -> None:
    world.install(world.extension())
    outgoing = Path(world.store.outgoing("review"))
    outgoing.parent.mkdir()
    world.file("").rename(outgoing)
    assert world.listed() == ["review"]
    assert world.version() == "1.0.0"


def test_what_was_installed_after_an_uninstall_was_cut_short_stays(world: World) -> None:
    world.install(world.extension())
    folder = world.file("")
    journal = Journal(REMOVE, "review", "review", state_of(str(folder)))
    Path(world.store.journal_path).write_text(json.dumps(journal.as_json()))
    (folder / "gemini-extension.json").write_text('{"name": "review", "version": "7.0.0"}')
    act.enable("review", "user", world.shop)
    assert world.version() == "7.0.0"
    assert not Path(world.store.journal_path).exists()


def test_an_update_cut_short_is_given_up_where_somebody_took_its_new_name(world: World) -> None:
    world.install(world.extension())
    taken = world.extension("9.0.0", "inspect", "taken")
    incoming = Path(world.store.incoming("inspect"))
    world.extension("2.0.0", "inspect").rename(incoming)
    new = state_of(str(incoming))
    journal = Journal(PLACE, "inspect", "inspect", new, str(incoming), ("/*",), None, "review", "review")
    swap(str(incoming), str(world.file("")), world.store.outgoing("review"))
    Path(world.store.journal_path).write_text(json.dumps(journal.as_json()))
    shutil.copytree(taken, world.file("", "inspect"))
    act.enable("inspect", "user", world.shop)
    assert (world.version(), world.version("inspect")) == ("1.0.0", "9.0.0")


def test_an_update_cut_short_does_not_bring_back_what_was_uninstalled(world: World) -> None:
    world.install(world.extension("1.0.0", "other", "other"))
    incoming = Path(world.store.incoming("review"))
    world.extension("2.0.0").rename(incoming)
    journal = Journal(PLACE, "review", "review", state_of(str(incoming)), str(incoming), replaces="review")
    Path(world.store.journal_path).write_text(json.dumps(journal.as_json()))
    act.enable("other", "user", world.shop)
    assert list(read_index(world.places)) == ["other"]
    assert not incoming.exists()


def test_a_store_that_cannot_be_written_is_an_error_with_a_path(world: World) -> None:
    (world.home / ".gemini").mkdir()
    Path(world.store.own).write_text("a file in the way")
    source = world.extension()
    with pytest.raises(PiscesError) as error:
        world.install(source)
    assert code_of(error) == "gemini-store-unwritable"
    with pytest.raises(PiscesError) as error:
        act.link(str(source), world.shop)
    assert code_of(error) == "gemini-store-unwritable"


def test_a_first_step_that_the_system_refuses_changes_nothing_and_blocks_nothing(world: World) -> None:
    source = world.extension()
    world.install(source)
    trash = Path(world.store.trash("review"))
    trash.parent.write_text("a file in the way")
    with pytest.raises(PiscesError) as error:
        act.uninstall("review", world.shop)
    assert code_of(error) == "gemini-store-unwritable"
    trash.parent.unlink()
    act.disable("review", "user", world.shop)
    assert world.version() == "1.0.0"


def test_shelves_of_a_home_without_gemini_cli_are_empty(world: World) -> None:
    assert stored_extensions(world.places) == {}
    assert list(world.home.iterdir()) == []


def pisces(world: World, *words: str) -> subprocess.Popen[str]:
    env = {**os.environ, "HOME": str(world.home), "USERPROFILE": str(world.home), "NO_COLOR": "1"}
    env.pop("PI_CODING_AGENT_DIR", None)
    command = [sys.executable, "-m", "pisces", "extensions", *words]
    return subprocess.Popen(
        command,
        cwd=world.places.cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(world: World, *words: str) -> str:
    started = pisces(world, *words)
    out, err = started.communicate(timeout=60)
    assert started.returncode == 0, err
    return out


def hash_of(path: Path) -> str:
    return tree_of(str(path)).hash


def test_commands_look_in_our_store_first_and_say_which_one_it_was(world: World) -> None:
    source = world.extension()
    for store in ("gemini", "pisces"):
        said(world, "install", str(source), "--to", store, "--accept", hash_of(source))
    assert "Gemini" not in said(world, "disable", "review")
    assert world.rules["review"]["overrides"] == ["/*"]
    assert said(world, "disable", "review", "--to", "gemini") == "disabled review everywhere in Gemini CLI's store\n"
    assert "Gemini" not in said(world, "uninstall", "review")
    assert said(world, "enable", "review") == "enabled review everywhere in Gemini CLI's store\n"
    assert json.loads(said(world, "info", "review", "--output-format", "json"))["store"] == "gemini"
    world.extension("2.0.0")
    assert "updated" in said(world, "update", "--all", "--accept", hash_of(source))
    assert said(world, "rollback", "review").startswith("review is 1.0.0 again in Gemini CLI's store")
    assert said(world, "uninstall", "review") == "uninstalled review 1.0.0 in Gemini CLI's store\n"


def test_two_processes_at_once_both_end_well(world: World) -> None:
    names = ("one", "two", "three")
    sources = [world.extension("1.0.0", name, name) for name in names]
    running = [pisces(world, "install", str(each), "--to", "gemini", "--accept", hash_of(each)) for each in sources]
    for each in running:
        _, err = each.communicate(timeout=60)
        assert each.returncode == 0, err
    assert sorted(world.rules) == sorted(names)
    assert sorted(world.listed()) == sorted(names)
