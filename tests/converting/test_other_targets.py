"""Copilot, Cursor, Antigravity and OpenCode get what they load, never more than was allowed, and a report."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.checking.check import check
from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.fate import Fate
from pisces.converting.output import apply, planned
from pisces.converting.writer import WriteOptions
from pisces.diagnostics import ERROR, WARNING
from pisces.formats import yaml
from pisces.formats.frontmatter import split
from tests.converting.test_convert import places_of, put

TARGETS = ("antigravity", "copilot", "cursor", "opencode")
GUARD = {"type": "command", "command": "bash ${CLAUDE_PLUGIN_ROOT}/guard.sh", "timeout": 5}


def plugin(folder: Path, **more: str) -> Path:
    hooks = {"PreToolUse": [{"matcher": "Bash", "hooks": [GUARD]}], "FileChanged": [{"hooks": [GUARD]}]}
    servers = {
        "docs": {"type": "http", "url": "https://docs.example/mcp", "headers": {"X": "1"}, "note": "mine"},
        "local": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js"], "env": {"A": "b"}},
        "socket": {"type": "ws", "url": "wss://docs.example"},
    }
    return put(
        folder / "plugin",
        {
            ".claude-plugin/plugin.json": json.dumps(
                {"name": "demo", "version": "1.2.3", "description": "A demo", "author": {"name": "Ada"}}
            ),
            "agents/free.md": "---\nname: free\ndescription: Does all\n---\nWork.\n",
            "agents/deep/reader.md": (
                "---\nname: reader\ndescription: 'Reads: all'\ntools: Read, Grep, LSP\n"
                "model: sonnet\ncolor: red\n---\nRead.\n"
            ),
            "agents/none.md": "---\nname: none\ndescription: Nothing\ntools: LSP\n---\nNothing.\n",
            "commands/git/commit.md": (
                "---\ndescription: Commits\nargument-hint: '[text]'\n---\n"
                "Commit $ARGUMENTS with ${CLAUDE_PLUGIN_ROOT}/guard.sh after !`git status`\n"
            ),
            "skills/notes/SKILL.md": (
                "---\nname: notes\ndescription: Notes\n---\nRun ${CLAUDE_PLUGIN_ROOT}/guard.sh here.\n"
            ),
            "skills/notes/data.txt": "data\n",
            "skills/alone/SKILL.md": (
                "---\nname: alone\ndescription: Alone\ndisable-model-invocation: true\n---\nOnly by hand.\n"
            ),
            "hooks/hooks.json": json.dumps({"hooks": hooks}),
            ".mcp.json": json.dumps({"mcpServers": servers}),
            "guard.sh": "exit 2\n",
            "server.js": "",
            **more,
        },
    )


def made(tmp_path: Path, target: str, **options: Any) -> Converted:
    return convert(ConvertRequest(str(plugin(tmp_path)), target, None, WriteOptions(**options)), places_of(tmp_path))


def written(tmp_path: Path, target: str, **options: Any) -> Path:
    converted, out = made(tmp_path, target, **options), tmp_path / "out"
    apply(planned(converted.files, converted.folder, str(out), {}), str(out))
    return out


def header(path: Path) -> dict[str, Any]:
    found = split(path.read_text("utf-8"))
    assert found is not None
    fields = yaml.parse(found.header)
    assert isinstance(fields, dict)
    return fields


def fates(converted: Converted, subject: str) -> list[Fate]:
    return [each for each in converted.fates if each.subject == subject]


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_written_has_no_problem_of_its_own(target: str, tmp_path: Path) -> None:
    out = written(tmp_path, target)
    found = check([str(out)], places_of(tmp_path)).diagnostics
    assert [each for each in found if each.severity in (ERROR, WARNING)] == []


@pytest.mark.parametrize("target", TARGETS)
def test_no_text_names_a_variable_that_the_target_does_not_know(target: str, tmp_path: Path) -> None:
    out = written(tmp_path, target)
    pages = [path for path in out.rglob("*.md") if target != "copilot"]  # Copilot fills in those of Claude Code
    assert [path for path in pages if "CLAUDE_" in path.read_text("utf-8")] == []


@pytest.mark.parametrize("target", TARGETS)
def test_a_second_run_is_the_same_to_the_byte(target: str, tmp_path: Path) -> None:
    converted, out = made(tmp_path, target), written(tmp_path, target)
    again = planned(converted.files, converted.folder, str(out), {})
    assert {each.state for each in again} == {"same"}


@pytest.mark.parametrize("target", TARGETS)
def test_every_part_of_the_source_has_a_fate(target: str, tmp_path: Path) -> None:
    converted = made(tmp_path, target)
    subjects = {each.subject for each in converted.fates}
    items = [*converted.plugin.commands, *converted.plugin.skills, *converted.plugin.agents]
    items += [*converted.plugin.hooks, *converted.plugin.servers]
    assert {f"{each.kind} `{each.name}`" for each in items} <= subjects


def test_a_guard_that_the_target_would_not_understand_is_an_error(tmp_path: Path) -> None:
    converted = made(tmp_path, "antigravity")
    found = fates(converted, "hook `PreToolUse`")
    assert [(each.code, each.severity) for each in found] == [("lost-guard", ERROR)]


@pytest.mark.parametrize("target", ["claude", "copilot", "cursor"])
def test_a_guard_that_waits_for_a_patch_is_an_error(target: str, tmp_path: Path) -> None:
    hooks = {"hooks": {"PreToolUse": [{"matcher": "apply_patch", "hooks": [{"type": "command", "command": "guard"}]}]}}
    tree = {".codex-plugin/plugin.json": '{"name": "g", "version": "1.0.0"}', "hooks/hooks.json": json.dumps(hooks)}
    converted = convert(ConvertRequest(str(put(tmp_path / "plugin", tree)), target), places_of(tmp_path))
    assert "lost-guard" in [each.code for each in fates(converted, "hook `PreToolUse`")]


@pytest.mark.parametrize("target", TARGETS)
def test_hooks_left_out_on_request_are_named_one_by_one(target: str, tmp_path: Path) -> None:
    converted = made(tmp_path, target, without_hooks=True)
    assert {each.code for each in fates(converted, "hook `PreToolUse`")} == {"lost-guard"}
    assert not [each for each in converted.files if "hook" in each.path and "plugins" in each.path]


@pytest.mark.parametrize("target", TARGETS)
def test_a_server_over_a_web_socket_is_an_error(target: str, tmp_path: Path) -> None:
    assert [each.code for each in fates(made(tmp_path, target), "server `socket`")] == ["lost-server"]


def test_copilot_allows_groups_and_leaves_out_what_it_cannot_allow(tmp_path: Path) -> None:
    out = written(tmp_path, "copilot")
    assert header(out / "agents" / "reader.agent.md")["tools"] == ["read", "search"]
    assert "tools" not in header(out / "agents" / "free.agent.md")
    assert not (out / "agents" / "none.agent.md").exists()
    hooks = json.loads((out / "hooks.json").read_text("utf-8"))["hooks"]
    assert list(hooks) == ["PreToolUse"]
    handler = hooks["PreToolUse"][0]["hooks"][0]
    assert handler["bash"] == 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/claude-compat/run.sh" 1 guard || exit 2'
    table = json.loads((out / "hooks/claude-compat/hooks.json").read_text("utf-8"))
    assert table["hooks"]["1"]["hook"]["command"] == "bash ${CLAUDE_PLUGIN_ROOT}/guard.sh"


def test_a_limited_subagent_of_cursor_only_reads(tmp_path: Path) -> None:
    out = written(tmp_path, "cursor")
    assert header(out / "agents" / "reader.md")["readonly"] is True
    assert "readonly" not in header(out / "agents" / "free.md")


def test_a_limited_subagent_is_not_written_where_no_limit_is_known(tmp_path: Path) -> None:
    out = written(tmp_path, "antigravity")
    assert [path.name for path in (out / "agents").iterdir()] == ["free.md"]
    widened = made(tmp_path, "antigravity", widen=True)
    assert {each.code for each in fates(widened, "agent `reader`")} >= {"widened-tools"}


def test_antigravity_has_commands_as_skills_and_addresses_under_its_own_key(tmp_path: Path) -> None:
    out = written(tmp_path, "antigravity")
    assert header(out / "skills" / "git-commit" / "SKILL.md")["name"] == "git-commit"
    servers = json.loads((out / "mcp_config.json").read_text("utf-8"))["mcpServers"]
    assert servers["docs"] == {"serverUrl": "https://docs.example/mcp", "headers": {"X": "1"}}


def test_opencode_denies_all_and_allows_what_the_author_allowed(tmp_path: Path) -> None:
    out = written(tmp_path, "opencode")
    fields = header(out / ".opencode" / "agents" / "reader.md")
    assert list(fields["permission"].items()) == [("*", "deny"), ("read", "allow"), ("grep", "allow")]
    config = json.loads((out / "opencode.json").read_text("utf-8"))
    assert config["mcp"]["local"]["command"] == ["node", ".opencode/demo/server.js"]
    assert (out / ".opencode" / "commands" / "demo" / "alone.md").is_file()
    assert (out / ".opencode" / "demo" / "guard.sh").is_file()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo no >&2; exit 2", "no"),
        ('echo \'{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "json"}}\'', "json"),
        ('echo a log line; echo \'{"decision": "block", "reason": "old"}\'', "old"),
        ('grep -q "\\"tool_name\\":\\"Bash\\"" && echo saw it >&2 && exit 2', "saw it"),
        ("exit 0", ""),
        ("exit 3", ""),
        ("sleep 60", "could not run"),
    ],
)
def test_guards_deny_in_the_generated_plugin_of_opencode(script: str, expected: str, tmp_path: Path) -> None:
    node = shutil.which("node")
    if not node or not shutil.which("bash"):
        pytest.skip("needs node and bash")
    guard = {**GUARD, "timeout": 1 if "sleep" in script else 30}
    hooks = json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash|Write", "hooks": [guard]}]}})
    source = plugin(tmp_path, **{"hooks/hooks.json": hooks, "guard.sh": f"{script}\n"})
    converted, out = convert(ConvertRequest(str(source), "opencode"), places_of(tmp_path)), tmp_path / "out"
    apply(planned(converted.files, converted.folder, str(out), {}), str(out))
    (out / ".opencode" / "package.json").write_text('{"type": "module"}')
    program = """
        const { ConvertedHooks } = await import(process.argv[1]);
        const hooks = await ConvertedHooks({ directory: process.argv[2] });
        const output = { args: { command: "rm x" } };
        try {
          await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, output);
          console.log("allowed");
        } catch (error) { console.log("denied: " + error.message); }
        await hooks["tool.execute.before"]({ tool: "read", sessionID: "s", callID: "c" }, { args: {} });
    """
    module = out / ".opencode" / "plugins" / "demo-hooks.js"
    run = subprocess.run(
        [node, "--input-type=module", "-e", program, str(module), str(out)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    answer = run.stdout.strip()
    assert answer == "allowed" if not expected else answer.startswith("denied: ") and expected in answer
