"""The shell commands as their users call them: text for people, JSON for programs, exit codes that mean it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.__main__ import main


class Shell:
    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.home.mkdir()
        self.project.mkdir()
        self.env = {**os.environ, "HOME": str(self.home), "USERPROFILE": str(self.home), "NO_COLOR": "1"}

    def write(self, path: str, text: str) -> None:
        file = (self.home if path.startswith("~/") else self.project) / path.removeprefix("~/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pisces", *words]
        return subprocess.run(command, cwd=self.project, env=self.env, capture_output=True, text=True, timeout=60)

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--output-format", "json").stdout)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path)
    made.write("~/.gemini/extensions/kit/gemini-extension.json", '{"name": "kit", "version": "1.0.0"}')
    made.write("~/.gemini/extensions/kit/commands/go.toml", 'prompt = "go"')
    made.write("~/.gemini/extensions/kit/commands/bad.toml", 'description = "no prompt"')
    made.write(".claude/skills/review/SKILL.md", "---\nname: review\ndescription: Reviews.\n---\nbody")
    return made


def test_list_shows_every_kind_with_counts(shell: Shell) -> None:
    done = shell.run("list")
    assert done.returncode == 0
    assert "1 package\n  kit  1.0.0  gemini  user  ~/.gemini/extensions/kit" in done.stdout
    assert "2 commands\n  /review  claude  project     .claude/skills/review/SKILL.md" in done.stdout
    assert "\n  /go      gemini  user (kit)" in done.stdout
    assert "1 error in what was found" in done.stderr


def test_list_of_one_kind_says_what_is_wrong_with_it(shell: Shell) -> None:
    done = shell.run("list", "commands")
    assert done.stdout.splitlines() == [
        "/review  claude  project     .claude/skills/review/SKILL.md",
        "/go      gemini  user (kit)  ~/.gemini/extensions/kit/commands/go.toml",
    ]
    assert "bad.toml:1:1: error [command-no-prompt]" in done.stderr


KEYS = {
    "packages": "name path manifest format version",
    "modules": "name path language folder",
    "commands": "name final_name description path dialect argument_hint executable",
    "skills": "name description path",
    "subagents": "name description path agent_kind tools model",
    "mcp-servers": "name config path",
    "hooks": "event matcher command path dialect name type timeout sequential",
    "policies": "tool_name decision priority path args_pattern policy_kind fields",
    "context-files": "path scope",
    "settings": "name env_var description sensitive path",
    "themes": "name path",
}


def test_json_has_the_same_keys_whatever_else_a_shape_knows(shell: Shell) -> None:
    secret = {"env": {"KEY": "s3cret"}, "headers": {"X-Key": "s3cret"}}
    hook = {"type": "command", "command": "guard", "if": "x", **secret}
    manifest: dict[str, Any] = {"name": "kit", "version": "1.0.0", "mcpServers": {"docs": {"command": "docs"}}}
    manifest |= {"settings": [{"name": "Key", "envVar": "KEY"}], "themes": [{"name": "Night"}]}
    kit = "~/.gemini/extensions/kit"
    shell.write(f"{kit}/gemini-extension.json", json.dumps(manifest))
    shell.write(f"{kit}/GEMINI.md", "Be short")
    shell.write(f"{kit}/hooks/hooks.json", json.dumps({"hooks": {"BeforeTool": [{"hooks": [hook]}]}}))
    shell.write(f"{kit}/agents/a.md", "---\nname: a\ndescription: b\nmax_turns: 3\n---\ns3cret")
    shell.write(f"{kit}/policies/a.toml", '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n')
    shell.write(".pisces/extensions/a.py", "")
    shell.write(".claude/skills/x/SKILL.md", "---\nname: x\ndescription: y\nhooks: {Stop: s3cret}\n---\n")
    told = shell.json("list")
    assert "s3cret" not in json.dumps(told)
    found = {item["kind"]: item for item in told["items"]}
    common = "kind state reason winner package source".split()
    assert {kind: sorted(found[kind]) for kind in KEYS} == {
        kind: sorted([*keys.split(), *common]) for kind, keys in KEYS.items()
    }
    assert "s3cret" not in json.dumps(
        [shell.json("why", "BeforeTool"), shell.json("inspect", str(shell.home / kit[2:]))]
    )


def test_list_as_json_has_items_and_diagnostics(shell: Shell) -> None:
    told = shell.json("list", "skills")
    assert [(each["name"], each["state"], each["source"]["provider"]) for each in told["items"]] == [
        ("review", "active", "claude")
    ]


def test_an_unknown_kind_is_an_error_with_the_known_ones(shell: Shell) -> None:
    done = shell.run("list", "spells")
    assert done.returncode == 1
    assert 'Unknown capability: "spells"' in done.stderr
    assert "mcp-servers" in done.stderr


def test_an_unknown_harness_is_an_error_with_the_known_ones(shell: Shell) -> None:
    done = shell.run("list", "--harness", "gemnii")
    assert done.returncode == 1
    assert "gemini" in done.stderr


def test_the_options_that_seed_000_names_still_work_and_are_not_in_help(shell: Shell) -> None:
    assert shell.json("list", "--provider", "gemini") == shell.json("list", "--harness", "gemini")
    assert shell.json("list", "--no-provider", "gemini") == shell.json("list", "--no-harness", "gemini")
    assert shell.json("list", "--harness", "gemini") != shell.json("list", "--no-harness", "gemini")
    shown = shell.run("list", "--help").stdout
    assert "--harness" in shown
    assert "provider" not in shown


def test_why_tells_who_wins_and_what_was_rejected(shell: Shell) -> None:
    assert "wins: command /go of package kit" in shell.run("why", "/go").stdout
    done = shell.run("why", "bad")
    assert done.returncode == 0
    assert "rejected:" in done.stdout
    assert "bad.toml:1:1" in done.stdout


def test_why_not_suggests_what_was_meant(shell: Shell) -> None:
    done = shell.run("why", "reviw")
    assert done.returncode == 1
    assert "did you mean `review`?" in done.stderr


def test_why_as_json(shell: Shell) -> None:
    assert [each["kind"] for each in shell.json("why", "kit")["candidates"]] == ["packages"]


def test_explain_prints_the_rule_and_lists_all(shell: Shell) -> None:
    done = shell.run("explain", "command-no-prompt")
    assert done.returncode == 0
    assert "Instead of:" in done.stdout
    assert "command-no-prompt" in shell.run("explain").stdout
    assert shell.run("explain", "command-no-promt").returncode == 1
    assert shell.json("explain", "command-no-prompt")[0]["severity"] == "error"


def test_doctor_counts_and_fails_on_errors(shell: Shell) -> None:
    done = shell.run("doctor")
    assert done.returncode == 1
    assert "command-no-prompt" in done.stdout
    report = shell.json("doctor")
    assert report["found"]["skills"] == 1
    assert {each["id"] for each in report["harnesses"]} >= {"native", "gemini", "claude", "codex"}


def test_inspect_reads_the_format_that_is_asked_for(shell: Shell) -> None:
    shell.write("both/gemini-extension.json", '{"name": "both", "version": "1.0.0"}')
    shell.write("both/.claude-plugin/plugin.json", '{"name": "both-claude"}')
    assert shell.json("inspect", "both")["formats"] == ["gemini", "claude-plugin"]
    assert shell.json("inspect", "both", "--format", "claude-plugin")["name"] == "both-claude"
    assert shell.json("inspect", "both/gemini-extension.json")["name"] == "both"


def test_inspect_of_no_package_says_what_it_looked_for(shell: Shell) -> None:
    (shell.project / "empty").mkdir()
    done = shell.run("inspect", "empty")
    assert done.returncode == 1
    assert "gemini-extension.json" in done.stderr
    assert shell.run("inspect", "nowhere").returncode == 2
    assert shell.json("inspect", "empty")["installs"] is False


def test_help_lists_every_command_with_examples(shell: Shell) -> None:
    assert "extensions install" in shell.run("--help").stdout
    assert "examples:" in shell.run("check", "--help").stdout
    assert "extensions uninstall" in shell.run("extensions").stdout


@pytest.mark.parametrize("words", [["lst"], ["extensions", "lst"], ["list", "--nonsense"]])
def test_words_that_mean_nothing_could_not_run(words: list[str], shell: Shell) -> None:
    assert shell.run(*words).returncode == 2


def test_the_version_is_told(shell: Shell) -> None:
    assert shell.run("--version").stdout.startswith("pisces ")


def test_a_reader_that_leaves_early_is_no_error(shell: Shell) -> None:
    for number in range(3000):
        shell.write(f".gemini/commands/c{number}.toml", 'prompt = "x"')
    command = [sys.executable, "-m", "pisces", "list", "commands"]
    with subprocess.Popen(
        command, cwd=shell.project, env=shell.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert b"Traceback" not in run.stderr.read()


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["lst"], "did you mean `pisces list`?"),
        (["install", "x"], "did you mean `pisces extensions install` or `pisces ide install`?"),
        (["instal", "x"], "did you mean `pisces extensions install` or `pisces ide install`?"),
        (["extensions", "lst"], "did you mean `pisces extensions list`?"),
        (["frobnicate"], "pisces --help lists them all"),
    ],
)
def test_a_mistyped_command_is_answered_with_what_was_meant(
    words: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert f"hint: {hint}" in capsys.readouterr().err
