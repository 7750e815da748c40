"""A command has one name, whichever listing shows it, and that name can be typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.discovery.claude_plugins import install
from tests.test_bad_input import run
from tests.test_hostile_values import plant


def asked(home: Path, *words: str) -> Any:
    done = run(home, home, *words, "--output-format", "json")
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return json.loads(done.stdout)


def test_every_listing_calls_a_command_by_the_same_name(tmp_path: Path) -> None:
    plugin = ".claude/plugins/cache/m/hookify/1.0.0"
    files = {
        f".gemini/extensions/{name}/gemini-extension.json": f'{{"name": "{name}", "version": "1.0.0"}}' for name in "ab"
    }
    commands = ("a/commands/go.toml", "b/commands/go.toml", "a/commands/git/tidy.toml", "b/commands/odd name.toml")
    files |= {f".gemini/extensions/{name}": 'prompt = "x"' for name in (*commands, "a/commands/review.toml")}
    plant(
        tmp_path,
        {
            **files,
            ".gemini/commands/review.toml": 'prompt = "x"',
            ".gemini/commands/help.toml": 'prompt = "x"',
            ".claude/commands/front/fix.md": "x",
            ".claude/skills/deploy/SKILL.md": "---\ndescription: d\n---\nx",
            ".gemini/trustedFolders.json": json.dumps({str(tmp_path): "TRUST_FOLDER"}),
            f"{plugin}/.claude-plugin/plugin.json": '{"name": "hookify"}',
            f"{plugin}/commands/configure.md": "x",
            f"{plugin}/skills/writing-rules/SKILL.md": "---\nname: Other\ndescription: d\n---\nx",
            ".pi/agent/prompts/ask.md": "x",
        },
    )
    install(tmp_path, "hookify@m", tmp_path / plugin)
    listed = {item["path"]: item["final_name"] for item in asked(tmp_path, "list", "commands")["items"]}
    typed = {entry["path"]: entry["name"] for entry in asked(tmp_path, "commands", "list")["commands"]}
    assert listed == typed
    assert {"a:go", "b:go", "git:tidy", "hookify:configure", "hookify:writing-rules", "deploy", "front:fix"} <= set(
        typed.values()
    )
    for path, name in typed.items():
        done = json.loads(run(tmp_path, tmp_path, "run", "--output-format", "json", f"/{name}").stdout)
        assert (done["path"], done["command"]) == (path, name)
        shown = [each for each in asked(tmp_path, "why", f"/{name}")["candidates"] if each["kind"] == "commands"]
        assert path in [each["path"] for each in shown]
    inside = asked(tmp_path, "inspect", plugin)["commands"]
    assert [each["final_name"] for each in inside] == ["hookify:configure"]
