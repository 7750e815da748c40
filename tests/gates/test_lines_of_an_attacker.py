"""Lines that look as if they only read, in a workspace that somebody else has made."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pisces.gates.approval_mode import mode_verdict
from pisces.gates.git_settings import shows_without_running
from pisces.gates.rulebook import ToolUse
from pisces.gates.user_rules import rules_for
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import SessionFacts

SETTINGS = """[core]
\trepositoryformatversion = 0
\tfilemode = true
[remote "origin"]
\turl = https://example.com/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
"""


def line(workspace: Path, command: str, mode: str = "ask") -> str:
    facts = SessionFacts(str(workspace), str(workspace), str(workspace.parent), mode=mode)
    return mode_verdict(ToolUse(ToolCall("shell", "1", {"command": command}), facts, "")).decision


def repository(folder: Path, settings: str = SETTINGS) -> Path:
    for name in ("objects", "refs", "hooks"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (folder / ".git" / "config").write_text(settings, "utf-8")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "man --pager='sh -c ./x' ls",
        "man --html=./x ls",
        "man ./x",
        "ps eww",
        "ps auxeww",
        "ps -o environ",
        "ps -oenviron",
        "ps -E",
        """jq -n 'import "config" as $c {search:"/home/somebody/.docker"}; $c'""",
        """jq -n 'include "x" {search:"/home/somebody"}; .'""",
        "base64 -o made a",
        "lsof -Db",
        "for PATH in .; do ls; done",
        "for LD_PRELOAD in ./x; do ls; done",
        "for GIT_EXTERNAL_DIFF in ./x; do git diff; done",
    ],
)
def test_options_and_variables_that_start_something_or_read_elsewhere_are_asked_about(
    tmp_path: Path, command: str
) -> None:
    assert [line(tmp_path, command, mode) for mode in ("ask", "edits", "plan")] == ["ask", "ask", "deny"]


@pytest.mark.parametrize(
    "command",
    [
        *("ps", "ps aux", "ps -ef", "ps -eo pid,ppid,etime,cmd", "ps -p 12,13", "ps aux --sort=-%mem", "man git-log"),
        *("jq . a", "for x in 1 2; do ls; done", "base64 -d a", "lsof -i"),
    ],
)
def test_what_only_shows_something_still_runs(tmp_path: Path, command: str) -> None:
    assert line(tmp_path, command) == "allow"


@pytest.mark.parametrize(
    "more",
    [
        "[core]\n\tfsmonitor = ./x",
        '[core] fsmonitor = "true ;./x"',
        "[user] [CORE] FsMonitor=./x",
        "# a \\\n[core] fsmonitor = ./x",
        '[diff "a"]\n\ttextconv = ./x',
        "[diff]\n\texternal = ./x",
        '[filter "a"]\n\tclean = ./x',
        "[include]\n\tpath = ../settings",
        '[includeIf "gitdir:/"]\n\tpath = ../settings',
        "[pager]\n\tlog = ./x",
        "[gpg]\n\tprogram = ./x",
        "[core]\n\tpager = ./x",
        "[core]\n\tsshCommand = ./x",
        "[core]\n\tworktree = /etc",
        "[core]\n\thooksPath = ~/x",
        '[remote "origin"]\n\tuploadpack = ./x\n\tpromisor = true',
        '[lfs "extension.x"]\n\tclean = ./x',
        "what git may read and we cannot",
    ],
)
def test_git_is_asked_about_where_a_repository_says_what_it_starts(tmp_path: Path, more: str) -> None:
    repository(tmp_path, f"{SETTINGS}{more}\n")
    assert {line(tmp_path, each) for each in ("git status", "git diff", "timeout 5 git log -p", "ls && git show")} == {
        "ask"
    }
    assert line(tmp_path, "ls") == "allow"


def test_git_shows_what_an_ordinary_repository_has(tmp_path: Path) -> None:
    repository(tmp_path, SETTINGS + "[user]\n\tname = x\n[core]\n\tfsmonitor = true\n\thooksPath = .husky\n")
    (tmp_path / "src").mkdir()
    assert line(tmp_path, "git status") == "allow"
    assert line(tmp_path, "cd src && git log -p") == "allow"
    (tmp_path / ".husky").mkdir()
    (tmp_path / ".husky" / "post-index-change").write_text("", "utf-8")
    assert line(tmp_path, "git status") == "ask"


def test_a_hook_that_runs_when_the_index_is_written_is_asked_about(tmp_path: Path) -> None:
    repository(tmp_path)
    (tmp_path / ".git" / "hooks" / "post-index-change").write_text("#!/bin/sh\n", "utf-8")
    assert line(tmp_path, "git status") == "ask"


def test_plain_files_that_git_takes_for_a_repository_are_asked_about(tmp_path: Path) -> None:
    repository(tmp_path)
    for name in ("objects", "refs"):
        (tmp_path / "sub" / name).mkdir(parents=True)
    (tmp_path / "sub" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (tmp_path / "sub" / "config").write_text("[core]\n\tfsmonitor = ./x\n", "utf-8")
    (tmp_path / "sub" / "deep").mkdir()
    assert [line(tmp_path, each) for each in ("git status", "cd sub && git status", "cd sub/deep && git status")] == [
        "allow",
        "ask",
        "ask",
    ]


def test_settings_behind_a_file_that_names_them_count(tmp_path: Path) -> None:
    repository(tmp_path / "other", SETTINGS + "[core]\n\tfsmonitor = ./x\n")
    work = tmp_path / "work"
    work.mkdir()
    (work / ".git").write_text(f"gitdir: {tmp_path / 'other' / '.git'}\n", "utf-8")
    assert line(work, "git status") == "ask"
    (work / ".git").write_text("gitdir: nowhere\n", "utf-8")
    assert line(work, "git status") == "ask"


def test_a_repository_in_a_repository_is_looked_at_as_git_does(tmp_path: Path) -> None:
    env = {**os.environ, "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(folder: Path, *words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "advice.addEmbeddedRepo=false")
        subprocess.run(("git", *who, *words), cwd=folder, env=env, check=True, capture_output=True)

    work = tmp_path / "work"
    (work / "inner").mkdir(parents=True)
    for folder in (work, work / "inner"):
        git(folder, "init")
    (work / "inner" / "a").write_text("1", "utf-8")
    git(work / "inner", "add", "a")
    git(work / "inner", "commit", "-m", "x")
    for name in ("a", "long/name/of/a/file", "inner", "z"):
        if name != "inner":
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text("1", "utf-8")
        git(work, "add", name)
    assert shows_without_running(str(work))
    git(work / "inner", "config", "core.fsmonitor", "./x")
    assert not shows_without_running(str(work))


@pytest.mark.skipif(os.name == "nt", reason="needs links")
@pytest.mark.parametrize(
    "command",
    [
        *("cat *", "cat n*", "head -n 1 [m-o]otes", "cat sub/?otes", "cat */id", "diff sub b", "diff -r sub b"),
        *("grep -R 1 .", "grep -R 1", "grep -rR 1 sub", "grep --dereference-r 1 ."),
        *("rg -L 1", "rg --follow 1 .", "find -L . -name x"),
    ],
)
def test_a_link_that_nobody_names_is_not_followed_out_of_the_workspace(tmp_path: Path, command: str) -> None:
    work = tmp_path / "work"
    for name in ("sub", "b", "src"):
        (work / name).mkdir(parents=True)
    (work / "src" / "a").write_text("1", "utf-8")
    assert line(work, command) == "allow"
    (tmp_path / "id").write_text("secret", "utf-8")
    os.symlink(tmp_path / "id", work / "notes")
    os.symlink(tmp_path, work / "sub" / "notes")
    assert line(work, command) == "ask"
    assert line(work, "cat src/* && grep -R 1 src && grep -r 1 .") == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "git log --output=x",
        "git fetch --upload-pack=x y",
        "git diff --no-index a b",
        "git show --ext-diff",
        "git fetch",
    ],
)
def test_an_answer_for_ever_about_git_covers_no_other_options(command: str) -> None:
    (rule,) = rules_for(ToolRequest(ToolCall("shell", "1", {"command": command}), "/w"), "allow")
    assert rule["command"] == command
    assert rule["regex"].startswith("^git ")
    assert rule["regex"].endswith("$")


@pytest.mark.parametrize("name", [".vimrc", ".config/autostart/x", ".local/bin/ls", "sub/.cargo/config.toml", ".pdbrc"])
def test_more_files_that_programs_obey_are_asked_about(tmp_path: Path, name: str) -> None:
    assert line(tmp_path, f"touch {name}", "edits") == "ask"


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_is_not_moved_to_where_it_leads_out(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "a" / "deep").mkdir(parents=True)
    (work / "plain").mkdir()
    os.symlink("../.ssh/id", work / "a" / "one")  # in the workspace where it is, and out of it one folder up
    os.symlink(tmp_path, work / "a" / "deep" / "out")
    moves = ("mv a/one b && cat b", "mv a b && cat b/deep/out/x", "mv a/deep b && echo 1 > b/out/x", "mv a/ b")
    assert {line(work, each, "edits") for each in moves} == {"ask"}
    assert line(work, "mv plain other && cat other/x", "edits") == "allow"


def test_a_line_that_makes_a_repository_does_not_run_git_in_it(tmp_path: Path) -> None:
    made = "mkdir -p objects refs && echo 'ref: refs/heads/x' > HEAD && echo '[core] fsmonitor=./x' > config"
    assert [line(tmp_path, each, "edits") for each in (made, f"{made} && git status")] == ["allow", "ask"]
    assert line(tmp_path, "ls && git status", "edits") == "allow"
