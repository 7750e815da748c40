"""Every editor of the reference is known by name; `pisces ide install` runs the right command line, or says why not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.ide.detect import detected, editor_named
from pisces.ide.editors import EDITORS, CommandLine, DetectedIde
from pisces.ide.install import command_of, installable, plan, usual_paths
from pisces.places import Places

OFFICIAL = "google.gemini-cli-vscode-ide-companion"
NAMES = """
    devin replit cursor cloudshell codespaces firebasestudio trae vscode vscodefork positron antigravity
    sublimetext jetbrains intellijidea webstorm pycharm goland androidstudio clion rustrover datagrip phpstorm zed xcode
""".split()


class Machine:
    """A home, a PATH of our own, and editors on it that write down how they were called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.env = {"HOME": str(folder), "PATH": str(self.bin), "PISCES_COMPANIONS": str(folder / "companions")}

    def editor(self, path: str | Path, status: int = 0) -> Path:
        file = (self.bin / path).resolve()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word"; done > "$0.called"\necho said; exit {status}\n')
        file.chmod(0o755)
        return file

    def install(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pisces", "ide", "install", *words]
        env = {**self.env, **env}
        return subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, check=False, timeout=60
        )

    def places(self, **env: str) -> Places:
        return Places(str(self.folder), str(self.folder), {**self.env, **env})


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path.resolve())


def _called(file: Path) -> list[str]:
    return Path(f"{file}.called").read_text().splitlines()


def test_every_editor_of_the_reference_is_there() -> None:
    assert set(NAMES) <= {editor.name for editor in EDITORS}


def test_every_editor_has_a_name_of_its_own() -> None:
    assert len({editor.name for editor in EDITORS}) == len({editor.display_name for editor in EDITORS}) == len(EDITORS)


def test_what_the_companion_says_of_itself_counts_first() -> None:
    found = detected({"TERM_PROGRAM": "vscode"}, "code", ("myeditor", "My Editor"))
    assert found == DetectedIde("myeditor", "My Editor")


def test_half_a_name_is_none() -> None:
    found = detected({"TERM_PROGRAM": "vscode"}, "", ("myeditor", ""))
    assert found
    assert found.name == "vscode"


def test_a_terminal_of_no_editor_is_none() -> None:
    assert detected({"TERM_PROGRAM": "iTerm.app", "CURSOR_TRACE_ID": "x"}) is None


@pytest.mark.parametrize(("variable", "name"), [("NVIM", "neovim"), ("INSIDE_EMACS", "emacs")])
def test_editors_that_gemini_does_not_know_are_found_last(variable: str, name: str) -> None:
    found = detected({variable: "1"})
    assert found
    assert found.name == name
    inside = detected({variable: "1", "TERM_PROGRAM": "vscode"})
    assert inside
    assert inside.name == "vscode"


@pytest.mark.parametrize("spelling", ["vscode", "VS Code", "code", "VSCode"])
def test_editors_are_named_as_people_spell_them(spelling: str) -> None:
    found = editor_named(spelling)
    assert found
    assert found.name == "vscode"


@pytest.mark.skipif(os.name == "nt", reason="shell scripts for editors")
@pytest.mark.parametrize(
    ("editor", "program"),
    [
        ("vscode", "code"),
        ("firebasestudio", "code"),
        ("codespaces", "code"),
        ("positron", "positron"),
        ("antigravity", "agy"),
        ("antigravity", "antigravity"),
        ("cursor", "cursor"),
        ("trae", "trae"),
    ],
)
def test_the_official_companion_is_installed_through_the_editor(machine: Machine, editor: str, program: str) -> None:
    file = machine.editor(program)
    done = machine.install(editor)
    assert done.returncode == 0, done.stderr
    assert _called(file) == ["--install-extension", OFFICIAL, "--force"]


def test_our_own_companion_comes_first_where_it_was_built(machine: Machine) -> None:
    folder = machine.folder / "companions" / "vscode"
    folder.mkdir(parents=True)
    (folder / "pisces-companion-0.1.0.vsix").touch()
    file = machine.editor("code")
    assert machine.install("vscode").returncode == 0
    assert _called(file) == ["--install-extension", str(folder / "pisces-companion-0.1.0.vsix"), "--force"]


def test_a_dry_run_runs_nothing(machine: Machine) -> None:
    file = machine.editor("code")
    done = machine.install("vscode", "--dry-run")
    assert done.stdout == f"would run {file} --install-extension {OFFICIAL} --force\n"
    assert not Path(f"{file}.called").exists()


def test_the_editor_of_this_terminal_is_the_default(machine: Machine) -> None:
    file = machine.editor("positron")
    done = machine.install("--output-format", "json", TERM_PROGRAM="vscode", POSITRON="1")
    assert json.loads(done.stdout) == {
        "editor": "positron",
        "display_name": "Positron",
        "companion": OFFICIAL,
        "argv": [str(file), "--install-extension", OFFICIAL, "--force"],
        "source": None,
        "target": None,
        "then": None,
        "installed": True,
        "said": "said",
    }


def test_antigravity_names_its_own_command(machine: Machine) -> None:
    file = machine.editor("my-agy")
    machine.editor("agy")
    assert command_of(_line("antigravity"), machine.places(ANTIGRAVITY_CLI_ALIAS="my-agy")) == str(file)


@pytest.mark.parametrize("alias", ["my-agy; rm -rf ~", "$(id)", "a b", ""])
def test_a_command_with_odd_characters_is_not_run(machine: Machine, alias: str) -> None:
    machine.editor(alias or "x")
    agy = machine.editor("agy")
    assert command_of(_line("antigravity"), machine.places(ANTIGRAVITY_CLI_ALIAS=alias)) == str(agy)


def test_usual_folders_are_looked_in_after_path(machine: Machine) -> None:
    usual = machine.editor("../.local/share/code/bin/code")
    assert command_of(_line("vscode"), machine.places(), "linux") == str(usual.resolve())
    on_path = machine.editor("code")
    assert command_of(_line("vscode"), machine.places(), "linux") == str(on_path)


def test_the_usual_folders_are_those_of_the_reference() -> None:
    places = Places("/home/me", "/", {"ProgramFiles": "C:\\Program Files"})
    assert usual_paths(_line("vscode"), places, "linux") == [
        "/usr/share/code/bin/code",
        "/snap/bin/code",
        "/home/me/.local/share/code/bin/code",
    ]
    assert usual_paths(_line("positron"), places, "darwin") == [
        "/Applications/Positron.app/Contents/Resources/app/bin/positron",
        "/home/me/Library/Application Support/Positron/bin/positron",
    ]
    windows = usual_paths(_line("vscode"), places.replace(home="C:\\Users\\me"), "win32")
    assert windows == [
        "C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd",
        "C:\\Users\\me\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd",
    ]


def test_without_the_editors_command_line_the_result_says_how_to_get_it(machine: Machine) -> None:
    done = machine.install("vscode")
    assert done.returncode == 1
    assert "[ide-no-command-line]" in done.stderr
    assert "put `code` on PATH" in done.stderr


def test_an_editor_without_a_companion_says_so(machine: Machine) -> None:
    done = machine.install("xcode")
    assert done.returncode == 1
    assert "[ide-no-installer]" in done.stderr


@pytest.mark.parametrize("words", [("notepad",), ()])
def test_an_editor_that_is_not_known_says_so(machine: Machine, words: tuple[str, ...]) -> None:
    done = machine.install(*words)
    assert done.returncode == 1
    assert "[ide-unknown-editor]" in done.stderr
    assert "vscode" in done.stderr


def test_an_editor_that_fails_is_quoted(machine: Machine) -> None:
    machine.editor("code", 3)
    done = machine.install("vscode")
    assert done.returncode == 1
    assert "[ide-install-failed]" in done.stderr
    assert "ended with 3: said" in done.stderr


def test_a_companion_that_is_copied_goes_where_the_editor_looks(machine: Machine) -> None:
    source = machine.folder / "companions" / "neovim" / "plugin"
    source.mkdir(parents=True)
    (source / "pisces.lua").write_text("-- companion")
    done = machine.install("neovim")
    assert done.returncode == 0, done.stderr
    copied = machine.folder / ".local/share/nvim/site/pack/pisces/start/pisces/plugin/pisces.lua"
    assert copied.read_text() == "-- companion"
    assert "restart Neovim" in done.stderr
    assert machine.install("neovim").returncode == 0, "twice is fine"


def test_neovim_under_another_name_has_another_folder(machine: Machine) -> None:
    (machine.folder / "companions" / "neovim").mkdir(parents=True)
    done = machine.install(
        "neovim", "--dry-run", "--output-format", "json", NVIM_APPNAME="mine", XDG_DATA_HOME="relative"
    )
    assert json.loads(done.stdout)["target"].startswith(str(machine.folder / ".local/share/mine/site/pack"))


def test_a_companion_that_is_not_here_cannot_be_copied(machine: Machine) -> None:
    emacs = editor_named("emacs")
    assert emacs
    with pytest.raises(PiscesError) as caught:
        plan(emacs, machine.places())
    assert caught.value.diagnostic.code == "ide-no-installer"
    assert "PISCES_COMPANIONS" in caught.value.diagnostic.hint


def test_the_editors_of_the_reference_can_be_installed_into() -> None:
    assert {"vscode", "firebasestudio", "positron", "antigravity"} <= {editor.name for editor in installable()}


def _line(name: str) -> CommandLine:
    editor = editor_named(name)
    assert editor
    assert editor.command_line
    return editor.command_line
