"""Finding entries, as a library: provenance, the option without discovery, languages apart. The rules are cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.modules.entries import module_entries, named_entries, no_entries
from pisces.modules.entry import CLI, DISABLED, NATIVE, PACKAGE, RUNS, SETTINGS, ModuleEntry
from pisces.places import Places
from tests.discovery.world import written


class Desk:
    """A home and a project."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.cwd = folder / "project"
        self.cwd.mkdir()
        self.home.mkdir()
        self.places = Places(str(self.home), str(self.cwd))

    def project(self, path: str, text: str | object = "") -> str:
        return str(written(self.cwd / path, text))

    def user(self, path: str, text: str | object = "") -> str:
        return str(written(self.home / path, text))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_an_entry_says_where_it_comes_from(desk: Desk) -> None:
    found = desk.project(".pisces/extensions/found.py")
    own = desk.user(".pisces/agent/extensions/own/index.ts")
    named = desk.project("named.mjs")
    listed = desk.user("listed.py")
    desk.user(".pisces/agent/config.yml", "extensions: [~/listed.py]")
    assert module_entries(desk.places, ["named.mjs"]).entries == (
        ModuleEntry(found, "found", "python", NATIVE, "project"),
        ModuleEntry(own, "own", "typescript", NATIVE, "user", folder=str(Path(own).parent)),
        ModuleEntry(named, "named", "javascript", CLI, "user"),
        ModuleEntry(listed, "listed", "python", SETTINGS, "user"),
    )


def test_languages_are_kept_apart_for_those_who_run_them(desk: Desk) -> None:
    for name in ("a.py", "b.ts", "c.js", "d.py"):
        desk.user(f".pisces/agent/extensions/{name}")
    found = module_entries(desk.places, disabled=["extension-module:d"])
    assert [entry.name for entry in found.running if entry.is_python] == ["a"]
    assert [entry.name for entry in found.running if not entry.is_python] == ["b", "c"]
    assert [(entry.name, entry.off_by) for entry in found.entries if entry.state == DISABLED] == [("d", "user")]


def test_without_discovery_a_program_still_gets_what_it_names(desk: Desk) -> None:
    desk.user(".pisces/agent/extensions/own.py")
    desk.user(".pisces/agent/config.yml", "extensions: [~/listed.py]\ndisabledExtensions: [extension-module:named]")
    desk.user("listed.py")
    desk.project("pack/one.py")
    named = desk.project("named.py")
    found = named_entries(desk.places, ["named.py", "pack"])
    assert [(entry.path, entry.state) for entry in found.entries] == [
        (named, RUNS),
        (str(desk.cwd / "pack" / "one.py"), RUNS),
    ]


def test_the_option_of_the_command_line_drops_what_is_named_and_says_so() -> None:
    found = no_entries(["named.py"])
    assert found.entries == ()
    assert [(told.code, "named.py" in told.message) for told in found.diagnostics] == [("modules-off", True)]
    assert no_entries([]).diagnostics == ()


def test_a_declared_entry_keeps_the_folder_that_declares_it(desk: Desk) -> None:
    desk.project("pack/pyproject.toml", '[tool.pisces]\nextensions = ["src/main.py"]')
    main = desk.project("pack/src/main.py")
    (entry,) = module_entries(desk.places, ["pack"]).entries
    assert (entry.path, entry.folder) == (main, str(desk.cwd / "pack"))


def test_a_module_of_an_installed_package_is_the_users_choice(desk: Desk) -> None:
    tree = desk.home / "kit"
    written(tree / "gemini-extension.json", {"name": "kit", "version": "1.0.0"})
    written(tree / "package.json", {"pi": {"extensions": ["./main.ts"]}})
    written(tree / "main.ts", "")
    package: dict[str, object] = {
        "name": "kit",
        "version": "1.0.0",
        "format": "gemini",
        "folder": str(tree),
        "overrides": ["*"],
    }
    package |= {"manifest": "gemini-extension.json", "source": {"kind": "folder", "path": str(tree)}, "tree": ""}
    desk.user(".pisces/agent/packages/index.json", {"packages": [package]})
    (entry,) = module_entries(desk.places).entries
    assert (entry.name, entry.origin, entry.package, entry.level) == ("main", PACKAGE, "kit", "user")


def test_odd_paths_never_raise(desk: Desk) -> None:
    odd = ["", " ", "\0", "a\nb", "~nobody/x.py", "x" * 5000, "/", "..", "\ud800"]
    found = module_entries(desk.places, odd)
    assert {told.code for told in found.diagnostics} <= {"module-path", "module-folder", "module-language"}
    assert "module-path" in {told.code for told in found.diagnostics}


def test_a_project_cannot_switch_the_native_provider_off_for_the_user(desk: Desk) -> None:
    desk.user(".pisces/agent/extensions/guard.py")
    desk.project(".pisces/settings.json", {"disabledProviders": ["native"]})
    assert [entry.name for entry in module_entries(desk.places).running] == ["guard"]
