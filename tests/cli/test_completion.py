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


@pytest.fixture
def env(tmp_path: Path, places: Places) -> dict[str, str]:
    """A shell finds `pisces` as a program of its path."""
    program = tmp_path / "pisces"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pisces "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": places.home, "TERM": "dumb"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_itself_completes(env: dict[str, str], places: Places) -> None:
    ask = (
        'eval "$(pisces completion bash)"; COMP_WORDS=(pisces extensions unin); COMP_CWORD=2; _pisces; '
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", ask], env=env, capture_output=True, text=True, timeout=30)
    assert done.stdout == "uninstall\n", done.stderr
    ask = ask.replace("(pisces extensions unin); COMP_CWORD=2", "(pisces run /git : com); COMP_CWORD=4")
    done = subprocess.run(["bash", "-c", ask], env=env, capture_output=True, text=True, timeout=30, cwd=places.cwd)
    assert done.stdout == "commit\n", f"bash splits words at colons: {done.stderr}"


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pisces extensions unin", "uninstall"),
        ("pisces list --harness cla", "claude"),
        ("pisces run /git:c", "/git:commit"),
    ],
)
def test_fish_itself_completes(typed: str, offered: str, env: dict[str, str], places: Places) -> None:
    ask = ["fish", "--no-config", "-c", "pisces completion fish | source; complete -C $argv[1]", typed]
    done = subprocess.run(ask, env=env, capture_output=True, text=True, timeout=30, cwd=places.cwd)
    assert done.stdout.split() == [offered], done.stderr


# It completes in a terminal only, which its own module makes. What is on the line is printed by a key.
_IN_ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -D -u; eval "$(pisces completion zsh)"
  show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^I" complete-word; bindkey "^X" show; print READ""Y'
while zpty -r shell line && [[ $line != *READY* ]]; do done
zpty -n -w shell "$1"$'\\t\\x18'
while zpty -r shell line; do [[ $line == *'<'*'>'* ]] && break; done
print -r -- ${${line##*'<'}%%'>'*}
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("pisces extensions unin", "pisces extensions uninstall "),
        ("pisces list --harness cla", "pisces list --harness claude "),
        ("pisces extensions zzz", "pisces extensions zzz"),
    ],
)
def test_zsh_itself_completes(typed: str, line: str, env: dict[str, str], places: Places) -> None:
    ask = ["zsh", "-f", "-c", _IN_ZSH, "zsh", typed]
    done = subprocess.run(ask, env=env, capture_output=True, text=True, timeout=30, cwd=places.cwd)
    assert done.stdout == f"{line}\n", done.stderr
