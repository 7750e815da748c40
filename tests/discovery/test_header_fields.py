"""Skills, subagents and commands keep every field of their header or entry, and know where each stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.by_name import export_of
from pisces.discovery.item_place import item_place
from tests.discovery.as_found import assert_placed, assert_read
from tests.discovery.claude_plugins import install
from tests.discovery.world import World

SKILL = """\
---
name: review
description: Reviews a change
license: Apache-2.0
compatibility: needs git
metadata:
  author: someone
  version: "2"
version: 1.5
when_to_use: after every edit
argument-hint: FILE
arguments: [file, depth]
allowed-tools: Read, Bash(git add:*) Grep
disallowed-tools: [Write]
model: opus
effort: high
agent: Explore
context: fork
subtask: true
disable-model-invocation: true
user-invocable: false
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{type: command, command: guard}]
paths: ["src/**", "docs/**"]
shell: powershell
x-unknown: {kept: [1, null]}
---

# How to review
"""
INVOCABLE: dict[str, Any] = {
    "when_to_use": "after every edit",
    "arguments": ("file", "depth"),
    "allowed_tools": ("Read", "Bash(git add:*)", "Grep"),
    "disallowed_tools": ("Write",),
    "model": "opus",
    "effort": "high",
    "agent": "Explore",
    "context": "fork",
    "subtask": True,
    "disable_model_invocation": True,
    "user_invocable": False,
    "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}]},
    "paths": ("src/**", "docs/**"),
    "shell": "powershell",
    "argument_hint": "FILE",
}
SKILL_READ: dict[str, Any] = {
    **INVOCABLE,
    "name": "review",
    "description": "Reviews a change",
    "license": "Apache-2.0",
    "compatibility": "needs git",
    "metadata": {"author": "someone", "version": "2"},
    "version": "1.5",
    "body_line": 30,
}


def world_of(tmp_path: Path, harness: str) -> World:
    return World(tmp_path, export_of("pisces.harnesses", harness, "HARNESS"))


@pytest.mark.parametrize(
    ("harness", "folder"),
    [("claude", ".claude/skills"), ("gemini", ".gemini/skills"), ("codex", ".codex/skills"), ("pi", ".pi/skills")],
)
def test_a_skill_keeps_every_field(tmp_path: Path, harness: str, folder: str) -> None:
    world = world_of(tmp_path, harness)
    file = world.project(f"{folder}/review/SKILL.md", SKILL)
    (found,) = world.found("skills").items
    assert_read(found.item, {**SKILL_READ, "folder": str(file.parent)})
    assert found.item.fields["x-unknown"] == {"kept": [1, None]}
    assert list(found.item.fields) == [line.split(":")[0] for line in SKILL.splitlines()[1:28] if line[0] != " "]
    assert SKILL.splitlines()[found.item.body_line - 1 :][:2] == ["", "# How to review"]
    assert_placed(found, SKILL)


def test_windows_line_ends_move_nothing(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    file = world.project(".claude/skills/review/SKILL.md")
    file.write_bytes(SKILL.replace("\n", "\r\n").encode())
    (found,) = world.found("skills").items
    assert_read(found.item, SKILL_READ)
    assert_placed(found, SKILL)


@pytest.mark.parametrize("spelling", ["user-invokable", "user_invokable", "user_invocable"])
def test_other_spellings_are_understood(tmp_path: Path, spelling: str) -> None:
    world = world_of(tmp_path, "claude")
    world.project(".claude/skills/a/SKILL.md", f"---\nname: a\ndescription: b\n{spelling}: false\nglobs: a, b\n---\n")
    (found,) = world.found("skills").items
    assert (found.item.user_invocable, found.item.paths) == (False, ("a", "b"))


def test_a_skill_without_a_header_has_no_fields_and_its_body_starts_at_once(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    world.project(".claude/skills/review/SKILL.md", "# Review\n")
    (found,) = world.found("skills").items
    assert_read(found.item, {"name": "review", "fields": {}, "body_line": 1, "user_invocable": None, "model": ""})
    assert item_place(found, "model") == (1, 1)


def test_a_header_that_gemini_cli_reads_by_line_has_the_two_fields_that_it_reads(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    world.project(".gemini/skills/a/SKILL.md", "---\nname: a\ndescription: Use when: it breaks\nmodel: x\n---\nBody")
    (found,) = world.found("skills").items
    assert found.item.fields == {"name": "a", "description": "Use when: it breaks"}
    assert item_place(found) == (2, 1)


def test_a_name_that_is_a_number_is_kept_as_one(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    world.project(".gemini/skills/a/SKILL.md", "---\nname: 5\ndescription: b\nmodel: x\n---\n")
    (found,) = world.found("skills").items
    assert (found.item.name, found.item.fields) == ("5", {"name": 5, "description": "b", "model": "x"})


CLAUDE_AGENT = """\
---
name: reviewer
description: Reviews a change
tools: Read, Agent(a, b), Bash(git add:*)
disallowedTools: Write, Edit
model: opus
permissionMode: plan
maxTurns: 12
skills: [review, test]
mcpServers:
  - docs
  - own: {command: docs-server}
hooks:
  Stop: []
memory: project
background: true
isolation: worktree
effort: high
color: blue
initialPrompt: Begin
x-unknown: kept
---
You review.

Twice.
"""
CLAUDE_AGENT_READ: dict[str, Any] = {
    "name": "reviewer",
    "description": "Reviews a change",
    "prompt": "You review.\n\nTwice.\n",
    "kind": "local",
    "tools": ("Read", "Agent(a, b)", "Bash(git add:*)"),
    "disallowed_tools": ("Write", "Edit"),
    "model": "opus",
    "permission_mode": "plan",
    "max_turns": 12,
    "skills": ("review", "test"),
    "mcp_servers": {"docs": None, "own": {"command": "docs-server"}},
    "hooks": {"Stop": []},
    "memory": "project",
    "background": True,
    "isolation": "worktree",
    "effort": "high",
    "color": "blue",
    "initial_prompt": "Begin",
}


def test_a_subagent_of_claude_code_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    world.project(".claude/agents/reviewer.md", CLAUDE_AGENT)
    (found,) = world.found("subagents").items
    assert_read(found.item, CLAUDE_AGENT_READ)
    assert found.item.fields["x-unknown"] == "kept"
    assert len(found.item.fields) == 17
    assert_placed(found, CLAUDE_AGENT)


GEMINI_AGENT = """\
---
kind: local
name: reviewer
description: Reviews a change
display_name: The Reviewer
tools:
  - read_file
  - glob
mcp_servers:
  docs:
    command: docs-server
model: pro
temperature: 0.5
max_turns: 12
timeout_mins: 5
---
You review.
"""


def test_a_subagent_of_gemini_cli_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    world.project(".gemini/agents/reviewer.md", GEMINI_AGENT)
    (found,) = world.found("subagents").items
    read = {"display_name": "The Reviewer", "tools": ("read_file", "glob"), "model": "pro", "prompt": "You review.\n"}
    limits = {
        "temperature": 0.5,
        "max_turns": 12,
        "timeout_minutes": 5,
        "mcp_servers": {"docs": {"command": "docs-server"}},
    }
    assert_read(found.item, {**read, **limits, "kind": "local", "disallowed_tools": (), "keys": ()})
    assert len(found.item.fields) == 10
    assert_placed(found, GEMINI_AGENT)


def test_remote_subagents_of_one_file_each_have_their_place(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    text = """\
---
- kind: remote
  name: first
  agent_card_url: https://example.com/first
- kind: remote
  name: second
  description: The second
  agent_card_json: '{"a": 1}'
  auth:
    type: apiKey
    key: $KEY
---
"""
    world.project(".gemini/agents/remote.md", text)
    first, second = world.found("subagents").items
    assert_read(
        first.item, {"kind": "remote", "agent_card_url": "https://example.com/first", "keys": (0,), "prompt": ""}
    )
    assert_read(second.item, {"agent_card_json": '{"a": 1}', "auth": {"type": "apiKey", "key": "$KEY"}, "keys": (1,)})
    assert_placed(first, text)
    assert_placed(second, text)


def test_a_subagent_of_codex_keeps_every_field(tmp_path: Path) -> None:
    text = """\
name = "reviewer"
description = "Reviews a change"
developer_instructions = "You review."
model = "gpt-5"
model_reasoning_effort = "high"
sandbox_mode = "read-only"
x-unknown = 1
[mcp_servers.docs]
command = "docs-server"
"""
    world = world_of(tmp_path, "codex")
    world.user(".codex/agents/reviewer.toml", text)
    (found,) = world.found("subagents").items
    read = {"prompt": "You review.", "model": "gpt-5", "effort": "high", "sandbox_mode": "read-only", "tools": None}
    assert_read(found.item, {**read, "mcp_servers": {"docs": {"command": "docs-server"}}})
    assert found.item.fields["x-unknown"] == 1
    assert item_place(found, "sandbox_mode") == (6, 1)
    assert item_place(found, "mcp_servers", "docs", "command") == (9, 1)


OPENCODE_AGENT: dict[str, Any] = {
    "description": "Reviews a change",
    "prompt": "{file:./review.txt}",
    "mode": "subagent",
    "model": "anthropic/opus",
    "temperature": 0.2,
    "top_p": 0.9,
    "steps": 8,
    "tools": {"write": False, "bash": True, "edit": False},
    "permission": {"bash": {"*": "ask"}},
    "x-unknown": [1],
}


def test_a_subagent_in_opencodes_configuration_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "opencode")
    file = world.project("opencode.json", {"agent": {"other": {"mode": "all"}, "reviewer": OPENCODE_AGENT}})
    found = world.found("subagents").items[-1]
    assert found.item.fields == OPENCODE_AGENT
    read = {"prompt": "{file:./review.txt}", "mode": "subagent", "model": "anthropic/opus", "temperature": 0.2}
    limits = {"top_p": 0.9, "max_turns": 8, "permission": {"bash": {"*": "ask"}}}
    assert_read(found.item, {**read, **limits, "tools": ("bash",), "disallowed_tools": ("write", "edit")})
    assert found.item.keys == ("agent", "reviewer")
    assert_placed(found, file.read_text())


def test_tools_that_a_header_switches_off_are_disallowed(tmp_path: Path) -> None:
    world = world_of(tmp_path, "opencode")
    world.project(".opencode/agents/a.md", "---\ndescription: b\ntools:\n  write: false\n  bash: true\n---\nBody")
    (found,) = world.found("subagents").items
    assert (found.item.tools, found.item.disallowed_tools, found.item.prompt) == (None, ("write",), "Body")


COMMAND = SKILL.replace("name: review\n", "")


def test_a_command_of_claude_code_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    world.project(".claude/commands/review.md", COMMAND)
    (found,) = world.found("commands").items
    assert_read(found.item, {**INVOCABLE, "name": "review", "description": "Reviews a change", "keys": ()})
    assert found.item.fields["x-unknown"] == {"kept": [1, None]}
    assert len(found.item.fields) == 21
    assert_placed(found, COMMAND)


def test_a_toml_command_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    text = 'description = "Reviews"\nx-unknown = 5\nprompt = """\nReview it\n"""\n'
    world.project(".gemini/commands/review.toml", text)
    (found,) = world.found("commands").items
    assert found.item.fields == {"description": "Reviews", "x-unknown": 5, "prompt": "Review it\n"}
    assert [item_place(found, key)[0] for key in found.item.fields] == [1, 2, 3]


def test_a_command_in_opencodes_configuration_keeps_every_field(tmp_path: Path) -> None:
    entry = {"template": "Run", "description": "Tests", "agent": "build", "model": "a/b", "subtask": True, "x": 1}
    world = world_of(tmp_path, "opencode")
    file = world.project("opencode.jsonc", {"command": {"other": {"template": "No"}, "test": entry}})
    found = world.found("commands").items[-1]
    assert found.item.fields == entry
    assert_read(found.item, {"agent": "build", "model": "a/b", "subtask": True, "keys": ("command", "test")})
    assert_placed(found, file.read_text())


def test_a_command_in_a_plugins_manifest_keeps_every_field(tmp_path: Path) -> None:
    entry = {
        "content": "Review it",
        "description": "Reviews",
        "argumentHint": "FILE",
        "model": "opus",
        "allowedTools": ["Read", "Grep"],
        "x-unknown": True,
    }
    world = world_of(tmp_path, "claude")
    inside = ".claude/plugins/cache/market/kit/1.0.0"
    file = world.user(f"{inside}/.claude-plugin/plugin.json", {"name": "kit", "commands": {"review": entry}})
    install(world.home, "kit@market", world.home / inside)
    (found,) = world.found("commands").items
    assert found.item.fields == entry
    read = {"argument_hint": "FILE", "model": "opus", "allowed_tools": ("Read", "Grep"), "description": "Reviews"}
    assert_read(found.item, {**read, "keys": ("commands", "review"), "final_name": "kit:review"})
    assert_placed(found, file.read_text())


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("FILE", "FILE"),
        ("[file]", "[file]"),
        ("[file, depth]", "[file] [depth]"),
        ("[optional: what to mend]", "[optional: what to mend]"),
        ("3", "3"),
    ],
)
def test_a_hint_in_brackets_is_a_text_for_skills_and_commands_alike(tmp_path: Path, written: str, hint: str) -> None:
    world = world_of(tmp_path, "claude")
    text = f"---\ndescription: d\nargument-hint: {written}\n---\nDo it.\n"
    world.project(".claude/skills/s/SKILL.md", text)
    world.project(".claude/commands/c.md", text)
    found = [*world.found("skills").items, *world.found("commands").items]
    assert {each.item.name: each.item.argument_hint for each in found} == {"s": hint, "c": hint}
