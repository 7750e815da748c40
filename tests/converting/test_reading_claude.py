"""A plugin of Claude Code is read as it loads it; what it never loads is said, and not brought to life."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.fate import Fate
from pisces.converting.plugin import Plugin
from pisces.converting.reading import read_plugin
from tests.converting.test_convert import places_of, put

COMMAND = {"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/guard.sh"}


def read(folder: Path, files: dict[str, str], manifest: dict[str, Any] | None = None) -> Plugin:
    values = {"name": "demo", "version": "1.0.0", **(manifest or {})}
    put(folder / "demo", {".claude-plugin/plugin.json": json.dumps(values, indent=1), **files})
    return read_plugin(str(folder / "demo"), places_of(folder)).plugin


def hooks(folder: Path, value: Any, manifest: dict[str, Any] | None = None) -> Plugin:
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    return read(folder, {"hooks/hooks.json": text}, manifest)


def group(matcher: str | None = None, **more: Any) -> dict[str, Any]:
    return {**({} if matcher is None else {"matcher": matcher}), "hooks": [{**COMMAND, **more}]}


def skill(name: str, more: str = "") -> str:
    return f"---\nname: {name}\ndescription: About {name}\n{more}---\nDo it.\n"


def fates(plugin: Plugin, code: str) -> list[Fate]:
    return [each for each in plugin.fates if each.code == code]


def test_every_field_of_a_header_has_its_line(tmp_path: Path) -> None:
    text = '---\nname: a\ndescription: |\n  name: no\n  b\n"argument-hint": x\n# tools: no\ntools: Read\n---\nx\n'
    plugin = read(tmp_path, {"agents/a.md": text, "skills/a/SKILL.md": text})
    expected = {"": 2, "name": 2, "description": 3, "argument-hint": 6, "tools": 8}
    assert plugin.agents[0].lines == expected
    assert plugin.skills[0].lines == expected


def test_every_key_of_hooks_servers_and_settings_has_its_line(tmp_path: Path) -> None:
    option = {"type": "string", "title": "Key", "description": "The key", "sensitive": True}
    servers = {"mcpServers": {"docs": {"type": "http", "url": "https://e.org"}}}
    put(tmp_path / "demo", {".mcp.json": json.dumps(servers, indent=1)})
    plugin = hooks(tmp_path, {"hooks": {"Stop": [group("x", timeout=3)]}}, {"userConfig": {"key": option}})
    hook, server, setting = plugin.hooks[0], plugin.servers[0], plugin.settings[0]
    assert (hook.line(), hook.line("command"), hook.line("timeout"), hook.line("group.matcher")) == (7, 9, 10, 5)
    assert (server.line(), server.line("url"), server.keys) == (3, 5, ("mcpServers", "docs"))
    assert (setting.name, setting.title, setting.line(), setting.line("sensitive")) == ("key", "Key", 5, 9)
    assert plugin.lines["version"] == 3


def test_a_skill_that_the_manifest_lists_too_is_read_once_by_the_name_of_its_folder(tmp_path: Path) -> None:
    files = {"skills/plan/SKILL.md": skill("other"), "more/deep/SKILL.md": skill("x")}
    plugin = read(tmp_path, files, {"skills": ["./skills/plan", "./more"]})
    assert sorted((each.name, each.path) for each in plugin.skills) == [
        ("deep", "more/deep/SKILL.md"),
        ("plan", "skills/plan/SKILL.md"),
    ]


def test_a_whole_package_that_is_one_skill_has_the_name_of_its_header(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"SKILL.md": skill("alone"), "notes.md": "x"})
    (only,) = plugin.skills
    assert (only.name, only.folder) == ("alone", "")
    assert "notes.md" in only.files


def test_a_folder_of_skills_that_is_one_skill_has_the_name_of_its_header_and_no_other(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"skills/SKILL.md": skill("whole"), "skills/other/SKILL.md": skill("other")})
    assert [(each.name, each.path) for each in plugin.skills] == [("whole", "skills/SKILL.md")]


def test_a_skill_and_a_command_of_one_name_leave_the_skill(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"commands/plan.md": "Use the skill", "skills/plan/SKILL.md": skill("plan")})
    assert [each.name for each in plugin.skills] == ["plan"]
    assert not plugin.commands
    (fate,) = fates(plugin, "never-loaded")
    assert (fate.subject, fate.path, fate.kind) == ("command `plan`", "commands/plan.md", "dropped")


def test_a_skill_that_lies_too_deep_is_read_and_moved(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"skills/group/one/SKILL.md": skill("one"), "skills/group/one/a/SKILL.md": skill("a")})
    assert [(each.name, each.files) for each in plugin.skills] == [("one", ("skills/group/one/a/SKILL.md",))]
    assert [each.subject for each in fates(plugin, "changed-meaning")] == ["skill `one`"]


def test_a_command_comes_before_a_skill_that_lies_too_deep(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"commands/one.md": "x", "skills/group/one/SKILL.md": skill("one")})
    assert not plugin.skills
    assert [each.name for each in plugin.commands] == ["one"]
    assert [each.subject for each in fates(plugin, "never-loaded")] == ["skill `one`"]


@pytest.mark.parametrize("name", ["skill.md", "SKILL.md", "Skill.md"])
def test_a_skill_file_among_commands_makes_one_skill_of_the_folder(tmp_path: Path, name: str) -> None:
    plugin = read(tmp_path, {f"commands/{name}": "All of it", "commands/a.md": "a", "commands/b/c.md": "c"})
    assert [(each.name, each.prompt.written) for each in plugin.skills] == [("commands", "All of it")]
    assert not plugin.commands
    assert {each.subject for each in fates(plugin, "never-loaded")} == {"command `a`", "command `b:c`"}


def test_a_skill_in_a_folder_below_commands_is_that_folders(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"commands/sub/SKILL.md": skill("q"), "commands/sub/paper.md": "p", "commands/x.md": "x"})
    assert [each.name for each in plugin.skills] == ["sub"]
    assert [each.name for each in plugin.commands] == ["x"]


def test_who_may_start_a_skill_is_read(tmp_path: Path) -> None:
    plugin = read(
        tmp_path,
        {
            "skills/a/SKILL.md": skill("a", "user-invocable: false\n"),
            "skills/b/SKILL.md": skill("b", "disable-model-invocation: true\nargument-hint: '[x]'\n"),
            "skills/c/SKILL.md": skill("c", "user-invokable: false\n"),
        },
    )
    assert [(each.by_user, each.by_model) for each in plugin.skills] == [(False, True), (True, False), (True, True)]
    assert plugin.skills[1].argument_hint == "[x]"


@pytest.mark.parametrize(
    ("header", "targets"),
    [
        ("ce_platforms: [claude]\n", ("claude",)),
        ("platforms: Claude, gemini\n", ("claude", "gemini")),
        ("metadata:\n  targets: [codex]\n", ("codex",)),
        ("targets: all\n", ()),
        ("platforms: [macos, linux]\n", ()),
        ("platforms: [windows, claude-code, Gemini CLI]\n", ("claude", "gemini")),
        ("", ()),
    ],
)
def test_an_author_may_name_the_programs_that_a_skill_is_for(
    tmp_path: Path, header: str, targets: tuple[str, ...]
) -> None:
    assert read(tmp_path, {"skills/a/SKILL.md": skill("a", header)}).skills[0].targets == targets


def test_every_file_of_agents_is_a_subagent(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"agents/README.md": "No header", "agents/a/b/c.agent.md": "---\ndescription: C\n---\nx"})
    assert sorted((each.folders, each.name, each.tools) for each in plugin.agents) == [
        ((), "README", None),
        (("a", "b"), "c", None),
    ]


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ("tools: Read Grep\n", ("Read", "Grep")),
        ("tools: Bash(git log:*), Read\n", ("Bash(git log:*)", "Read")),
        ("tools: [Read, Grep]\n", ("Read", "Grep")),
        ("tools: '*'\n", None),
        ("tools:\n", ()),
        ("tools: []\n", ()),
        ("tools: 5\n", ()),
        ("tools: {Read: true}\n", ()),
        ("allowed-tools: Read\n", None),
        ("", None),
    ],
)
def test_only_a_subagent_without_the_field_has_every_tool(
    tmp_path: Path, tools: str, expected: tuple[str, ...] | None
) -> None:
    assert read(tmp_path, {"agents/a.md": f"---\nname: a\n{tools}---\nx"}).agents[0].tools == expected


def test_a_tool_that_only_another_program_has_gives_a_subagent_nothing(tmp_path: Path) -> None:
    plugin = read(
        tmp_path, {"agents/a.md": "---\nname: a\ndescription: d\ntools: [read_file, Grep, glob(x)]\n---\nx\n"}
    )
    assert plugin.agents[0].tools == ("Grep",)
    assert [(each.field, each.path) for each in fates(plugin, "never-loaded")] == [("tools", "agents/a.md")] * 2


def test_fields_that_claude_code_does_not_read_are_said(tmp_path: Path) -> None:
    agent = "---\nname: a\nallowed-tools: Read\npermissionMode: plan\n---\nx"
    plugin = read(tmp_path, {"agents/a.md": agent}, {"minVersion": "2"})
    found = {(each.subject, each.field, each.line) for each in fates(plugin, "lost-field")}
    assert found == {
        ("agent `a`", "allowed-tools", 3),
        ("agent `a`", "permissionMode", 4),
        ("plugin `demo`", "minVersion", 4),
    }


def test_a_header_that_only_claude_code_takes_is_repaired(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"agents/a.md": "---\nname: a\ndescription: Use when: x\n---\nBody\n"})
    assert plugin.agents[0].description == "Use when: x"
    (fate,) = fates(plugin, "repaired")
    assert (fate.path, fate.line, fate.severity) == ("agents/a.md", 3, "note")


def test_one_file_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    bomb = "---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n: : [\n---\nBody"
    files = {"agents/bad.md": bomb, "agents/good.md": skill("good"), "commands/c.md": "---\n[\n---\nBody"}
    plugin = read(tmp_path, files)
    assert {each.name for each in plugin.agents} == {"bad", "good"}
    assert plugin.commands[0].prompt.written == "Body"


def test_commands_of_the_manifest_carry_what_it_says_of_them(tmp_path: Path) -> None:
    commands = {
        "one": {"source": "./other/z.md", "description": "Mine", "argumentHint": "[a]", "model": "opus"},
        "two": {"content": "Say $ARGUMENTS", "description": "Two"},
    }
    plugin = read(tmp_path, {"other/z.md": "---\ndescription: Z\n---\nZ"}, {"commands": commands})
    one, two = plugin.commands
    assert (one.name, one.description, one.argument_hint, one.fields["model"]) == ("one", "Mine", "[a]", "opus")
    assert (two.name, two.description, two.prompt.written) == ("two", "Two", "Say $ARGUMENTS")
    assert two.line("content") > 1


def test_settings_carry_type_default_and_need(tmp_path: Path) -> None:
    option = {"type": "number", "title": "Port", "description": "d", "default": 80, "required": True}
    (setting,) = read(tmp_path, {}, {"userConfig": {"port": option}}).settings
    assert (setting.type, setting.default, setting.required) == ("number", 80, True)
    assert setting.variable == "CLAUDE_PLUGIN_OPTION_PORT"


@pytest.mark.parametrize(
    ("files", "manifest", "expected"),
    [
        ({".lsp.json": '{"go": {"command": "gopls"}}'}, {}, ("language server", "go")),
        ({}, {"lspServers": {"go": {"command": "g", "extensionToLanguage": {".go": "go"}}}}, ("language server", "go")),
        ({"monitors/monitors.json": '[{"name": "m", "command": "x", "description": "d"}]'}, {}, ("monitor", "m")),
        ({"output-styles/o.md": "x"}, {}, ("output style", "o")),
        ({"looks/o.md": "x"}, {"outputStyles": "./looks"}, ("output style", "o")),
        ({"themes/t.json": "{}"}, {}, ("theme", "t")),
        ({"workflows/w.js": "x"}, {}, ("workflow", "w")),
        ({"bin/tool": "x"}, {}, ("program", "tool")),
        ({"settings.json": '{"agent": "a"}'}, {}, ("default setting", "agent")),
        ({}, {"channels": [{"server": "s"}]}, ("channel", "s")),
        ({}, {"dependencies": ["other"]}, ("dependency", "other")),
        ({}, {"mcpServers": "./a.mcpb"}, ("server bundle", "./a.mcpb")),
        ({}, {"defaultEnabled": False}, ("manifest field", "defaultEnabled")),
    ],
)
def test_what_few_programs_have_is_named(
    tmp_path: Path, files: dict[str, str], manifest: dict[str, Any], expected: tuple[str, str]
) -> None:
    plugin = read(tmp_path, files, manifest)
    assert [(each.sort, each.name) for each in plugin.rest] == [expected]
    assert plugin.rest[0].line() >= 1
    assert not plugin.refused


def test_servers_are_read_flat_wrapped_and_from_the_manifest(tmp_path: Path) -> None:
    files = {".mcp.json": '{"a": {"command": "a"}}', "b.json": '{"mcpServers": {"b": {"command": "b"}}}'}
    plugin = read(tmp_path, files, {"mcpServers": ["./b.json", {"c": {"command": "c"}}]})
    assert {each.name for each in plugin.servers} == {"a", "b", "c"}


def test_a_server_that_claude_code_leaves_out_is_said(tmp_path: Path) -> None:
    plugin = read(tmp_path, {".mcp.json": '{"mcpServers": {"a": {"url": "https://e.org"}}}'})
    assert not plugin.servers
    assert [each.subject for each in fates(plugin, "never-loaded")] == ["server `a`"]


@pytest.mark.parametrize(
    "events",
    [
        {"Start": [group()]},
        {"Stop": [COMMAND]},
        {"Stop": [{"hooks": [{"type": "script", "command": "x"}]}]},
        {"Stop": [group(timeout=-1)]},
        {"Stop": [{"matcher": 3, "hooks": [COMMAND]}]},
        {"Stop": group()},
    ],
)
def test_one_fault_in_a_file_of_hooks_costs_that_entry_alone(tmp_path: Path, events: Any) -> None:
    """As 2.1.325 does it."""
    plugin = hooks(tmp_path, {"hooks": {"PreToolUse": [group("Bash")], **events}})
    assert [(each.name, bool(each.dead)) for each in plugin.hooks] == [("PreToolUse", False), (*events, True)]


def test_a_faulty_hook_leaves_its_siblings(tmp_path: Path) -> None:
    handlers = [{"type": "script", "command": "x"}, COMMAND]
    plugin = hooks(tmp_path, {"hooks": {"Stop": [{"hooks": handlers}, group()]}})
    assert [bool(each.dead) for each in plugin.hooks] == [True, False, False]


@pytest.mark.parametrize(
    "value",
    [
        {"hooks": [{"event": "PreToolUse", **group("Bash")}]},
        [{"event": "PreToolUse", **group("Bash")}],
        {"PreToolUse": [group("Bash")]},
    ],
)
def test_hooks_at_the_wrong_place_are_all_dead(tmp_path: Path, value: Any) -> None:
    plugin = hooks(tmp_path, value)
    assert "PreToolUse" in {each.name for each in plugin.hooks}
    assert all(each.dead for each in plugin.hooks)


def test_a_faulty_file_of_hooks_leaves_those_of_other_files(tmp_path: Path) -> None:
    put(tmp_path / "demo", {"hooks/more.json": json.dumps({"Stop": [group()]})})
    plugin = hooks(tmp_path, {"hooks": {"PreToolUse": [group("Bash")]}}, {"hooks": "./hooks/more.json"})
    assert {each.name: bool(each.dead) for each in plugin.hooks} == {"PreToolUse": False, "Stop": True}


def test_hooks_in_the_manifest_live(tmp_path: Path) -> None:
    plugin = read(tmp_path, {}, {"hooks": {"PreToolUse": [group("Bash")]}})
    (hook,) = plugin.hooks
    assert (hook.name, hook.matcher, hook.dead, hook.path) == ("PreToolUse", "Bash", "", ".claude-plugin/plugin.json")


def test_a_file_of_hooks_that_the_manifest_names_too_is_read_once(tmp_path: Path) -> None:
    plugin = hooks(tmp_path, {"hooks": {"Stop": [group()]}}, {"hooks": "./hooks/hooks.json"})
    assert len(plugin.hooks) == 1


@pytest.mark.parametrize(
    ("matcher", "lives"),
    [
        ("Bash", True),
        ("", True),
        ("*", True),
        ("Edit|Write", True),
        ("mcp__.*", True),
        (".*", True),
        ("^(?:Bash|Read)$", True),
        ("[^B]", True),
        ('tool == "Bash" && tool_input.command matches "rm"', False),
        ('tool == "Bash" || x', True),
        ("Bash.*git (commit|push)", False),
        ("*.ts", False),
        ("(", False),
    ],
)
def test_a_matcher_that_fits_no_name_of_a_tool_never_fires(tmp_path: Path, matcher: str, lives: bool) -> None:
    plugin = hooks(tmp_path, {"hooks": {"PreToolUse": [group(matcher)]}})
    assert [not each.dead for each in plugin.hooks] == [lives]


@pytest.mark.parametrize(
    ("event", "command", "lives"),
    [
        ("PreToolUse", 'check "$CLAUDE_TOOL_INPUT"', False),
        ("PreToolUse", "check ${CLAUDE_FILE_PATHS}", False),
        ("PreToolUse", 'check "${CLAUDE_TOOL_INPUT:-$(cat)}"', True),
        ("PostToolUse", "prettier $CLAUDE_FILE_PATHS", True),
    ],
)
def test_a_guard_that_reads_a_variable_of_old_never_denies(
    tmp_path: Path, event: str, command: str, lives: bool
) -> None:
    plugin = hooks(tmp_path, {"hooks": {event: [group("Bash", command=command)]}})
    assert [not each.dead for each in plugin.hooks] == [lives]


@pytest.mark.parametrize(
    ("manifest", "field"),
    [({"agents": "./agents/"}, "agents"), ({"author": "Me"}, "author"), ({"skills": ["skills/a"]}, "skills.0")],
)
def test_a_manifest_that_is_refused_is_an_error_and_revives_no_hook(
    tmp_path: Path, manifest: dict[str, Any], field: str
) -> None:
    put(tmp_path / "demo", {"commands/c.md": "x"})
    plugin = hooks(tmp_path, {"hooks": {"PreToolUse": [group("Bash")]}}, manifest)
    (fate,) = fates(plugin, "source-refused")
    assert (fate.severity, fate.field, fate.line > 1) == ("error", field, True)
    assert plugin.refused
    assert all(each.dead for each in plugin.hooks)
    assert [each.name for each in plugin.commands] == ["c"]


def test_a_manifest_that_is_no_json_is_an_error_and_the_rest_is_read(tmp_path: Path) -> None:
    put(tmp_path / "demo", {".claude-plugin/plugin.json": "{", "skills/a/SKILL.md": skill("a")})
    plugin = read_plugin(str(tmp_path / "demo"), places_of(tmp_path)).plugin
    assert plugin.refused
    assert [each.name for each in plugin.skills] == ["a"]


def test_of_several_formats_the_one_that_is_not_the_target_is_read(tmp_path: Path) -> None:
    put(tmp_path / "demo", {"gemini-extension.json": '{"name": "demo", "version": "1.0.0"}'})
    read(tmp_path, {"agents/a.md": skill("a")})
    formats = {
        target: read_plugin(str(tmp_path / "demo"), places_of(tmp_path), None, target).plugin.format
        for target in ("gemini", "claude-plugin", "codex-plugin")
    }
    assert formats == {"gemini": "claude-plugin", "claude-plugin": "gemini", "codex-plugin": "claude-plugin"}


def test_of_two_subagents_with_one_name_the_first_is_read(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"agents/a.md": skill("x"), "agents/b.md": skill("x"), "agents/c/d.md": skill("x")})
    assert [each.path for each in plugin.agents] == ["agents/a.md", "agents/c/d.md"]
    assert [each.path for each in fates(plugin, "never-loaded")] == ["agents/b.md"]


def test_a_path_of_the_manifest_that_leads_nowhere_is_said(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"skills/a/SKILL.md": skill("a")}, {"skills": ["./more"]})
    (fate,) = fates(plugin, "never-loaded")
    assert (fate.path, fate.line) == (".claude-plugin/plugin.json", 5)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    plugin = read(tmp_path, {"commands/big.md": "x" * (9 * 1024 * 1024), "commands/small.md": "x"})
    assert [each.path for each in fates(plugin, "never-loaded")] == ["commands/big.md"]


def test_an_entry_of_skills_that_is_a_file_is_said(tmp_path: Path) -> None:
    files = {"skills/a/SKILL.md": skill("a"), "more/b/SKILL.md": skill("b")}
    plugin = read(tmp_path, files, {"skills": ["./skills/a/SKILL.md", "./more/b/SKILL.md"]})
    assert [each.name for each in plugin.skills] == ["a"]
    assert [each.subject for each in fates(plugin, "never-loaded")] == ["skill `more/b/SKILL.md`"]


@pytest.mark.parametrize("value", [[], {"hooks": []}, {"hooks": {"Start": []}}])
def test_a_file_of_hooks_that_is_refused_without_any_is_said(tmp_path: Path, value: Any) -> None:
    plugin = hooks(tmp_path, value)
    assert not plugin.hooks
    assert [each.path for each in fates(plugin, "never-loaded")] == ["hooks/hooks.json"]


def test_a_file_of_hooks_without_any_is_fine(tmp_path: Path) -> None:
    assert not hooks(tmp_path, {"hooks": {}}).fates
