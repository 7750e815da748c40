"""Values that no author means: no command crashes, stalls or prints something that is not JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.test_bad_input import run

DEEP = "[" * 480 + "]" * 480
TOO_DEEP = '{"a": ' * 600 + "1" + "}" * 600
EXPONENTIAL = '"^([a-z_]+)+([a-z_]+)+([a-z_]+)+!$"'
NESTED = '"' + "(" * 600 + "a" + ")" * 600 + '"'
MATCHERS = {
    "a list": "[]",
    "an object": "{}",
    "480 lists": DEEP,
    "600 objects": TOO_DEEP,
    "exponential": EXPONENTIAL,
    "600 groups": NESTED,
    "unclosed": '"((((("',
    "infinite": "1e999",
}
PROGRAMS = (
    ["list", "--all"],
    ["doctor"],
    ["check", "."],
    ["scan", "."],
    ["inspect", "."],
    ["commands", "list"],
    ["extensions", "list", "--all"],
    ["why", "box"],
)


def strict(text: str) -> Any:
    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def plant(home: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def everything_answers(home: Path) -> None:
    for words in PROGRAMS:
        for more in ([], ["--output-format", "json"]):
            done = run(home, home, *words, *more)
            said = done.stdout + done.stderr
            assert "Traceback" not in said, (words, said)
            assert "provider-failed" not in said, (words, said)
            assert done.returncode in (0, 1), (words, said)
            if more:
                strict(done.stdout)


@pytest.mark.parametrize("matcher", MATCHERS.values(), ids=MATCHERS)
def test_a_matcher_of_any_kind_stops_no_command(matcher: str, tmp_path: Path) -> None:
    hook = f'{{"matcher": {matcher}, "hooks": [{{"type": "command", "command": "true", "name": "a"}}]}}'
    names = ("BeforeTool", "PreToolUse", "SessionStart", "beforeShellExecution", "preToolUse")
    events = ", ".join(f'"{name}": [{hook}, {hook}]' for name in names)
    hooks = f'{{"hooks": {{{events}}}}}'
    rule = f'[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 1\ncommandRegex = {EXPONENTIAL}\n'
    places = [f"{folder}/settings.json" for folder in (".gemini", ".claude", ".qwen")]
    places += ["hooks/hooks.json", ".cursor/hooks.json", ".github/hooks/a.json", ".codex/hooks.json"]
    plant(tmp_path, dict.fromkeys(places, hooks))
    plant(tmp_path, {"gemini-extension.json": '{"name": "box", "version": "1.0.0"}', "policies/p.toml": rule})
    everything_answers(tmp_path)


def test_numbers_that_json_has_no_word_for_are_null(tmp_path: Path) -> None:
    server = '{"command": "x", "timeout": 1e999, "env": {"A": -1e999}, "nested": [[1e999]]}'
    manifest = f'{{"name": "box", "version": "1.0.0", "mcpServers": {{"s": {server}}}, "more": 1e999}}'
    header = f"---\nname: s\ndescription: d\nx: .nan\ny: .inf\nz: 0x{'f' * 9000}\n---\nbody\n"
    rule = '[[rule]]\ntoolName = "a"\ndecision = "deny"\npriority = 1\ntoolAnnotations = {a = inf, b = nan}\n'
    plant(
        tmp_path,
        {
            "gemini-extension.json": manifest,
            ".gemini/extensions/box/gemini-extension.json": manifest,
            ".gemini/skills/s/SKILL.md": header,
            ".claude/agents/a.md": header,
            ".gemini/policies/p.toml": rule,
            ".mcp.json": f'{{"mcpServers": {{"s": {server}}}}}',
        },
    )
    everything_answers(tmp_path)
    items = strict(run(tmp_path, tmp_path, "list", "--all", "--output-format", "json").stdout)["items"]
    assert [item["config"]["timeout"] for item in items if item["kind"] == "mcp-servers"][:1] == [None]


def test_text_that_is_no_unicode_stays_json(tmp_path: Path) -> None:
    manifest = r'{"name": "box", "version": "1.0.0", "description": "\ud800 \u0000 \u001b[31m", "\udfff": "\ud83d"}'
    plant(tmp_path, {"gemini-extension.json": manifest, ".gemini/extensions/box/gemini-extension.json": manifest})
    everything_answers(tmp_path)
