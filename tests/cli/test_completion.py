"""Completion knows commands, options and the values of options, because it asks the commands themselves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.cli.completion import candidates
from pisces.places import Places


def test_commands_are_completed() -> None:
    assert candidates(["wh"]) == ["why"]
    assert "extensions" in candidates([""])
    assert candidates(["extensions", "li"]) == ["link", "list"]


def test_options_are_completed() -> None:
    assert candidates(["check", "--out"]) == ["--output-format"]


def test_values_of_options_are_completed() -> None:
    assert candidates(["check", "--output-format", "s"]) == ["sarif"]


def test_options_of_the_agent_are_completed() -> None:
    assert candidates(["--approve"]) == ["--approve-mode"]
    assert candidates(["-p", "hi", "--approve-mode", "p"]) == ["plan"]


def test_nothing_is_made_up() -> None:
    assert candidates(["nonsense", ""]) == []


@pytest.fixture
def places(tmp_path: Path) -> Places:
    home, kit = tmp_path / "home", tmp_path / "home" / ".gemini" / "extensions" / "kit"
    (kit / "commands" / "git").mkdir(parents=True)
    program = {"type": "executable", "binary": "${extensionPath}/box", "subcommands": ["list", "search"]}
    manifest = {"name": "kit", "version": "1.0.0", "commands": {"box": program}}
    (kit / "gemini-extension.json").write_text(json.dumps(manifest))
    (kit / "commands" / "git" / "commit.toml").write_text('prompt = "x"')
    (kit / "commands" / "$(touch ran) `touch ran`.toml").write_text('prompt = "x"')
    (tmp_path / "project").mkdir()
    return Places(str(home), str(tmp_path / "project"))


def test_kinds_harnesses_rules_and_templates_are_completed(places: Places) -> None:
    assert candidates(["list", "sk"], places) == ["skills"]
    assert candidates(["list", "skills", "--harness", "ge"], places) == ["gemini"]
    assert candidates(["list", "--harness", "pis"], places) == ["pisces"]
    assert "command-no-prompt" in candidates(["explain", "command-"], places)
    assert "command-no-prompt" in candidates(["check", ".", "--select", "command-"], places)
    assert candidates(["extensions", "new", "here", "hoo"], places) == ["hooks"]


def test_one_place_has_one_word(places: Places) -> None:
    assert candidates(["list", "skills", "sk"], places) == []
    assert candidates(["list", "--all", "sk"], places) == ["skills"]
    assert candidates(["list", "--harness", "gemini", "sk"], places) == ["skills"]


def test_slash_commands_and_their_subcommands_are_completed(places: Places) -> None:
    assert candidates(["run", "/gi"], places) == ["/git:commit"]
    assert candidates(["run", "--yes", "/bo"], places) == ["/box"]
    assert candidates(["run", "/box", "se"], places) == ["search"]
    assert candidates(["run", "/box", "search", "se"], places) == []
    assert candidates(["commands", "show", "/git"], places) == ["/git:commit"]


def test_packages_and_names_are_completed(places: Places) -> None:
    assert candidates(["extensions", "info", "k"], places) == ["kit"]
    assert candidates(["extensions", "uninstall", "kit", "k"], places) == ["kit"]
    assert candidates(["why", "ki"], places) == ["kit"]
    assert candidates(["why", "git"], places) == ["git:commit"]


def test_a_name_that_a_shell_would_run_is_not_offered(places: Places) -> None:
    every = [*candidates(["run", ""], places), *candidates(["why", ""], places)]
    assert "/git:commit" in every
    assert not [each for each in every if "$" in each or "`" in each or " " in each]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_itself_completes(tmp_path: Path, places: Places) -> None:
    program = tmp_path / "pisces"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pisces "$@"\n')
    program.chmod(0o755)
    ask = (
        'eval "$(pisces completion bash)"; COMP_WORDS=(pisces extensions unin); COMP_CWORD=2; _pisces; '
        'echo "${COMPREPLY[@]}"'
    )
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", ask], env=env, capture_output=True, text=True, timeout=30)
    assert done.stdout == "uninstall\n", done.stderr
    ask = ask.replace("(pisces extensions unin); COMP_CWORD=2", "(pisces run /git : com); COMP_CWORD=4")
    env["HOME"] = places.home
    done = subprocess.run(["bash", "-c", ask], env=env, capture_output=True, text=True, timeout=30, cwd=places.cwd)
    assert done.stdout == "commit\n", f"bash splits words at colons: {done.stderr}"
