"""`--output-format json` gives one JSON object on stdout for every outcome of every command, refusals included."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pisces.__main__ import main
from pisces.by_name import names_in

COMMANDS = [name.replace("_", " ", 1).split() for name in names_in("pisces.cli")]

FAILURES: list[list[str]] = [
    ["lst"],
    ["list", "spells"],
    ["list", "--harness", "gemnii"],
    ["list", "--output-format=xml"],
    ["why", "nobody"],
    ["why", "--effective", "no.such.key"],
    ["check", "nowhere"],
    ["scan", "nowhere"],
    ["scan", "kit", "--waivers", "nowhere"],
    ["scan", "kit", "--write-waivers", "nowhere/deep/waivers.toml"],
    ["inspect", "nowhere"],
    ["inspect", "empty"],
    ["explain", "no-such-code"],
    ["run"],
    ["run", "/nobody"],
    ["run", "--package", "nowhere", "/go"],
    ["commands", "show", "/nobody"],
    ["commands", "trust", "acme"],
    ["modules", "test", "nowhere"],
    ["mcp", "test", "nobody"],
    ["mcp", "call", "nobody"],
    ["trust", "nowhere"],
    ["extensions", "info", "nobody"],
    ["extensions", "config", "nobody"],
    ["extensions", "enable", "nobody"],
    ["extensions", "disable", "nobody"],
    ["extensions", "rollback", "nobody"],
    ["extensions", "uninstall", "nobody"],
    ["extensions", "update"],
    ["extensions", "update", "nobody"],
    ["extensions", "install", "nowhere"],
    ["extensions", "install", "kit"],  # nobody is there to agree
    ["extensions", "link", "kit"],
    ["extensions", "link", "nowhere"],
    ["extensions", "new", "made", "no-such-template"],
    ["extensions", "new", "kit", "skills"],
    ["extensions", "lock", "--check", "--update", "x"],
    ["extensions", "lock"],
    ["extensions", "sync"],
    ["ide", "install", "no-such-editor"],
    ["ide", "probe", "--port", "1"],
    ["ide", "probe", "--file", "nowhere"],
    ["ide", "status"],
    ["ide", "watch", "--once", "--wait", "0"],
    ["completion", "tcsh"],
    ["sessions", "show", "nothing"],
    ["sessions", "export", "last"],
    ["sessions", "delete", "nothing", "--yes"],
]
SUCCESSES: list[list[str]] = [
    ["--help"],
    ["--version"],
    ["extensions"],
    ["list"],
    ["list", "skills", "--all"],
    ["why", "go"],
    ["doctor"],
    ["check", "kit"],
    ["scan", "kit"],
    ["inspect", "kit"],
    ["explain", "agent-header"],
    ["completion", "bash"],
    ["completion", "words"],
    ["commands", "list"],
    ["commands", "trust"],
    ["modules", "list"],
    ["trust", "--list"],
    ["trust", "kit"],
    ["extensions", "list"],
    ["extensions", "new", "made", "skills"],
    ["extensions", "update", "--all"],
    ["sessions", "list"],
]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    kit, installed = project / "kit", tmp_path / "home" / ".gemini" / "extensions" / "kit"
    for folder in (kit, installed):
        (folder / "commands").mkdir(parents=True)
        (folder / "gemini-extension.json").write_text('{"name": "kit", "version": "1.0.0"}')
        (folder / "commands" / "go.toml").write_text('prompt = "go"')
    (project / "empty").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.chdir(project)
    return project


def answered(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    """The exit code and the one object on stdout."""
    at = words.index("run") + 1 if "run" in words else len(words)
    status = main([*words[:at], "--output-format", "json", *words[at:]])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_wrong_flag_and_help_are_objects(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, told = answered([*words, "--no-such-flag"], capsys)
    assert status == 2 or words == ["run"]
    assert told["error"]
    status, told = answered([*words, "--help"], capsys)
    assert (status, told["error"]) == (0, None)
    assert told["output"][0].startswith("usage: pisces ")


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize("words", FAILURES, ids=" ".join)
def test_a_failure_is_an_object_that_says_why(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, told = answered(words, capsys)
    assert status in (1, 2)
    assert isinstance(told, dict)
    assert any(told.get(key) for key in ("error", "diagnostics", "rules", "state", "problem")), told


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize("words", SUCCESSES, ids=" ".join)
def test_a_success_is_an_object_or_a_list(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, told = answered(words, capsys)
    assert status == 0
    assert told


@pytest.mark.parametrize("words", [each for each in COMMANDS if each[0] == "extensions"], ids=" ".join)
def test_a_broken_store_is_an_object(words: list[str], workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = workspace.parent / "home" / ".pisces" / "agent" / "packages" / "index.json"
    index.parent.mkdir(parents=True)
    index.write_text("{")
    more = {"update": ["--all"], "new": ["made", "skills"], "install": ["kit"], "link": ["kit"], "validate": ["kit"]}
    named = [] if words[1] in ("list", "lock", "sync") else ["kit"]
    _, told = answered([*words, *more.get(words[1], named)], capsys)
    assert isinstance(told, dict)


@pytest.mark.usefixtures("workspace")
def test_a_folder_that_is_gone_is_an_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    status, told = answered(["list"], capsys)
    assert (status, told["error"]) == (2, "pisces: the current folder does not exist any more; go to another one")


@pytest.mark.usefixtures("workspace")
def test_each_line_of_stdin_has_an_object(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr("sys.stdin", io.StringIO("/nobody\n/go\n/nobody\n"))
    main(["run", "--output-format", "json", "-"])
    decoder, text = json.JSONDecoder(), capsys.readouterr().out
    first, end = decoder.raw_decode(text)
    second, more = decoder.raw_decode(text[end:].lstrip())
    third = json.loads(text[end:].lstrip()[more:])
    assert first["error"]
    assert second["command"] == "go"
    assert third == first
