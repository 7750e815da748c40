"""The shell commands as their users call them: text for people, JSON for programs, exit codes that mean it."""

from __future__ import annotations

import json
import os
import re
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
    assert "1 command\n  /go  gemini  user (kit)" in done.stdout
    assert "1 error in what was found" in done.stderr


def test_list_of_one_kind_says_what_is_wrong_with_it(shell: Shell) -> None:
    done = shell.run("list", "commands")
    assert done.stdout == "/go  gemini  user (kit)  ~/.gemini/extensions/kit/commands/go.toml\n"
    assert "bad.toml:1:1: error [command-no-prompt]" in done.stderr


EVERY = {
    *("kind", "name", "path", "harness", "state", "reason"),
    *("switch", "change", "winner", "level", "package", "source"),
}
KEYS = {
    "packages": "manifest format version",
    "modules": "language folder",
    "commands": "final_name description dialect argument_hint executable",
    "skills": "description",
    "subagents": "description tools model subagent_kind",
    "mcp-servers": "config",
    "hooks": "event matcher command dialect type timeout sequential",
    "policies": "tool_name decision priority args_pattern fields rule_kind",
    "context-files": "scope",
    "settings": "env_var description sensitive",
    "themes": "",
}


@pytest.fixture
def kit(shell: Shell) -> str:
    """A package with one thing of every kind, and secrets in whatever is not printed."""
    secret = {"env": {"KEY": "s3cret"}, "headers": {"X-Key": "s3cret"}}
    hook = {"type": "command", "command": "guard", "if": "x", **secret}
    servers = {
        "docs": {"command": "docs", "args": ["--api-key", "s3cret", "--token=s3cret"], "apiKey": "s3cret", **secret}
    }
    manifest: dict[str, Any] = {"name": "kit", "version": "1.0.0", "mcpServers": servers}
    manifest |= {"settings": [{"name": "Key", "envVar": "KEY"}], "themes": [{"name": "Night"}]}
    kit = "~/.gemini/extensions/kit"
    shell.write(f"{kit}/gemini-extension.json", json.dumps(manifest))
    shell.write(f"{kit}/GEMINI.md", "Be short")
    shell.write(f"{kit}/hooks/hooks.json", json.dumps({"hooks": {"BeforeTool": [{"hooks": [hook]}]}}))
    shell.write(f"{kit}/agents/a.md", "---\nname: a\ndescription: b\nmax_turns: 3\n---\ns3cret")
    shell.write(f"{kit}/policies/a.toml", '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n')
    shell.write("~/.gemini/settings.json", json.dumps({"general": {"vimMode": True}, "mcpServers": servers}))
    shell.write("~/.pisces/agent/extensions/a.py", "")
    shell.write(".claude/skills/x/SKILL.md", "---\nname: x\ndescription: y\nhooks: {Stop: s3cret}\n---\n")
    return kit


def test_json_has_the_same_keys_whatever_else_a_shape_knows(shell: Shell, kit: str) -> None:
    told = shell.json("list")
    found = {item["kind"]: item for item in told["items"] if "values" not in item}
    assert {kind: set(found[kind]) for kind in KEYS} == {kind: {*keys.split(), *EVERY} for kind, keys in KEYS.items()}
    assert all(item["kind"] in KEYS and item["name"] and item["path"] and item["harness"] for item in told["items"])
    assert {item["name"] for item in told["items"] if item["kind"] == "hooks"} == {"BeforeTool"}
    assert {item["name"] for item in told["items"] if item["kind"] == "policies"} == {"deny glob"}


def test_json_names_variables_and_hides_what_they_hold(shell: Shell, kit: str) -> None:
    told = [shell.json("list", "--all"), shell.json("why", "BeforeTool"), shell.json("why", "docs")]
    told.append(shell.json("list", "--harness", "pisces"))
    assert "s3cret" not in json.dumps([told, shell.json("inspect", str(shell.home / kit[2:]))["hooks"]])
    server = next(item for item in told[0]["items"] if item["kind"] == "mcp-servers")
    assert server["config"]["env"] == {"KEY": None}
    assert server["config"]["args"] == ["--api-key", None, "--token="]


def test_a_reference_to_a_variable_is_no_secret(shell: Shell) -> None:
    servers = {"docs": {"command": "docs", "env": {"A": "$KEY", "B": "${KEY}", "C": "$KEY and more"}}}
    shell.write("~/.gemini/settings.json", json.dumps({"mcpServers": servers}))
    (server,) = shell.json("list", "mcp-servers")["items"]
    assert server["config"]["env"] == {"A": "$KEY", "B": "${KEY}", "C": None}


def test_the_page_about_the_listing_has_its_keys(shell: Shell, kit: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "list.md").read_text("utf-8")
    parts = page.split("\n## ")[:4]
    whole, harness, item, kinds = (set(re.findall(r"^\| `([\w-]+)` \|", part, re.M)) for part in parts)
    told = shell.json("list", "--all")
    assert whole == set(told)
    assert [harness] == [set(each) for each in told["harnesses"][:1]]
    assert (item, kinds) == (EVERY, set(KEYS))
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", parts[3], re.M))
    own = {kind: set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", row))) for kind, row in rows.items()}
    for each in told["items"]:
        more = set(each) - EVERY
        assert not more - own[each["kind"]]
        assert each["kind"] == "settings" or each["state"] == "invalid" or more == own[each["kind"]]


def test_each_harness_has_its_own_object_for_one_file(shell: Shell) -> None:
    (shell.home / ".config" / "opencode").mkdir(parents=True)
    (shell.home / ".claude").mkdir()
    items = [each for each in shell.json("list", "skills")["items"] if each["name"] == "review"]
    assert {each["harness"] for each in items} >= {"claude", "opencode"}
    assert len({each["harness"] for each in items}) == len(items)
    assert {each["path"] for each in items} == {str(shell.project / ".claude/skills/review/SKILL.md")}


def test_the_union_is_a_harness_of_its_own_and_says_where_things_come_from(shell: Shell) -> None:
    told = shell.json("list", "--harness", "pisces")
    assert {each["harness"] for each in told["items"]} == {"pisces"}
    assert {each["source"]["provider"] for each in told["items"]} >= {"gemini", "claude"}
    assert [each["id"] for each in told["harnesses"]] == ["pisces"]


def test_what_a_harness_rejects_is_an_item_with_the_line_to_blame(shell: Shell) -> None:
    (bad,) = [each for each in shell.json("list", "commands", "--all")["items"] if each["name"] == "bad"]
    assert (bad["state"], bad["harness"], bad["switch"]["line"]) == ("invalid", "gemini", 1)
    assert bad["path"].endswith("bad.toml")
    assert bad["name"] not in [each["name"] for each in shell.json("list", "commands")["items"]]


def test_harnesses_say_whether_they_are_set_up(shell: Shell) -> None:
    told = {each["id"]: each for each in shell.json("list")["harnesses"]}
    assert (told["gemini"]["set_up"], told["claude"]["set_up"]) == (True, False)
    assert told["gemini"]["verified"]
    assert "cursor" not in told


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
