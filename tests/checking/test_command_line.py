"""`pisces check` on the command line: what is printed where, and the exit code."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pisces.cli._parser import parser_of
from pisces.cli.check import COMMAND
from pisces.places import Places
from pisces.ui.screen import Screen
from tests.checking.planting import plant
from tests.checking.trees import Tree, claude, command, gemini

WARNS = command('prompt = "Fix $ARGUMENTS"')
FAILS = command("prompt = ")


def run(folder: Path, tree: Tree, *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr; the tree lies in `box`."""
    plant(folder / "box", tree)
    out, err = io.StringIO(), io.StringIO()
    places = Places(str(folder / "home"), str(folder))
    code = COMMAND.run(parser_of(COMMAND).parse_args(list(words)), places, Screen(out, err, {}))
    return code, out.getvalue(), err.getvalue()


def test_findings_go_to_stdout_and_the_summary_to_stderr(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, WARNS, "box")
    assert code == 0
    assert out == (
        "box/commands/fix.toml:1:15: warning [command-arguments] `$ARGUMENTS` is not filled in\n"
        "  hint: write `{{args}}`\n"
    )
    assert err == "checked 1 package: 1 warning\n1 can be fixed with --fix\n"


@pytest.mark.parametrize(
    ("tree", "words", "exit_code"),
    [
        (gemini(), (), 0),
        (WARNS, (), 0),
        (WARNS, ("--strict",), 1),
        (FAILS, (), 1),
        (FAILS, ("--ignore", "command-syntax"), 0),
        (FAILS, ("--select", "command-arguments"), 0),
        (FAILS, ("--select", "command-arguments,command-syntax"), 1),
        (FAILS, ("--severity", "error", "--output-format", "json"), 1),
    ],
)
def test_exit_codes(tree: Tree, words: tuple[str, ...], exit_code: int, tmp_path: Path) -> None:
    assert run(tmp_path, tree, "box", *words)[0] == exit_code


def test_a_path_that_does_not_exist_is_not_a_finding(tmp_path: Path) -> None:
    assert run(tmp_path, gemini(), "missing") == (2, "", "missing does not exist\n")


def test_notes_are_counted_and_shown_on_demand(tmp_path: Path) -> None:
    _, out, err = run(tmp_path, gemini(author="me"), "box")
    assert (out, err) == ("", "checked 1 package: 1 note (--severity note shows the rest)\n")
    assert "manifest-metadata" in run(tmp_path, gemini(author="me"), "box", "--severity", "note")[1]
    assert run(tmp_path, WARNS, "box", "--severity", "error")[1] == ""


def test_the_workspace_is_named_in_the_summary(tmp_path: Path) -> None:
    tree: Tree = {".gemini/commands/fix.toml": 'prompt = "Fix"'}
    assert run(tmp_path, tree, "box")[2] == "checked this workspace: no problems\n"


def test_harnesses_are_a_table_with_each_reason_once(tmp_path: Path) -> None:
    tree: Tree = {**gemini(), **claude({"commands/a.md": "A", "commands/b.md": "B"})}
    _, out, _ = run(tmp_path, tree, "box", "--harnesses")
    lines = out.splitlines()
    assert lines[1] == "box (gemini, claude-plugin)"
    assert lines[2].split() == ["claude", "codex", "copilot", "gemini", "qwen"]
    assert lines[3].split() == ["commands", "/box:a", "yes", "yes", "yes", "no", "no"]
    assert "  gemini: 2 commands: it reads `.toml` files below `commands/` only" in lines


def test_json_has_targets_hosts_and_diagnostics(tmp_path: Path) -> None:
    told = json.loads(run(tmp_path, WARNS, "box", "--output-format", "json")[1])
    component = told["targets"][0]["components"][0]
    assert (component["kind"], component["name"]) == ("commands", "/fix")
    assert component["hosts"]["gemini"] == {"loads": True, "reason": None}
    assert component["hosts"]["codex"]["loads"] is False
    assert [each["code"] for each in told["diagnostics"]] == ["command-arguments"]


def test_sarif_has_results_with_their_rules(tmp_path: Path) -> None:
    told = json.loads(run(tmp_path, WARNS, "box", "--output-format", "sarif")[1])["runs"][0]
    assert [each["ruleId"] for each in told["results"]] == ["command-arguments"]
    assert told["tool"]["driver"]["rules"][0]["id"] == "command-arguments"


def test_names_with_escape_codes_cannot_write_on_the_screen(tmp_path: Path) -> None:
    tree = gemini(mcpServers={"docs\x1b[31m": {"command": "x"}})
    _, out, _ = run(tmp_path, tree, "box", "--hosts")
    assert "\x1b" not in out
