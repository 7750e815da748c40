"""What is said and where: exact places, hints, one thing once, and silence where nothing is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.cli.list import unique
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.registry import discover
from pisces.files import MOST_FOLDERS
from pisces.places import Places
from tests.checking.planting import checked, codes, found, plant
from tests.checking.trees import (
    AGENT,
    HOOKS,
    MANIFEST,
    SKILL,
    Tree,
    agent_plugin,
    claude,
    command,
    gemini,
    hook,
    server,
)

FINE = ("manifest-folder",)  # the folder of these tests has another name


def noisy(tmp_path: Path, tree: Tree) -> list[str]:
    return [code for code in codes(checked(tmp_path, tree)) if code not in FINE]


def test_a_finding_in_json_has_its_line_and_column(tmp_path: Path) -> None:
    text = '{\n  "name": "project",\n  "version": "1.0.0",\n  "description": "x",\n  "contextFiles": []\n}'
    result = checked(tmp_path, {MANIFEST: text})
    assert found(result, "manifest-key") == [(MANIFEST, 5, 3)]
    assert result.diagnostics[0].hint == "the key is called `contextFileName`"


def test_a_finding_in_a_prompt_has_its_line_and_column(tmp_path: Path) -> None:
    result = checked(tmp_path, command('prompt = """\nFirst\n  then !{ls\n"""'))
    assert found(result, "command-injection") == [("fix.toml", 3, 8)]


def test_a_finding_in_a_header_has_its_line(tmp_path: Path) -> None:
    text = SKILL.replace("---\nname", "---\nmodel: pro\nname")
    result = checked(tmp_path, gemini({"skills/review/SKILL.md": text}))
    assert found(result, "skill-extra-field") == [("SKILL.md", 2, 1)]


def test_diagnostics_are_ordered_by_path_line_column_and_code(tmp_path: Path) -> None:
    tree = gemini({"commands/b.toml": 'x = 1\ny = 1\nprompt = ""', "commands/a.toml": "prompt = "}, zebra=1, apple=2)
    result = checked(tmp_path, tree)
    keys = [(each.path, each.line, each.column, each.code) for each in result.diagnostics]
    assert keys == sorted(keys)


def test_a_file_that_two_formats_share_is_told_about_once_each_and_for_whom(tmp_path: Path) -> None:
    tree = {**gemini(), **claude({"agents/reviewer.md": AGENT.replace("name:", "color: blue\nname:")})}
    messages = [each.message for each in checked(tmp_path, tree).diagnostics if each.code == "agent-header"]
    assert messages == ["unknown key `color` (for Gemini CLI)"]


def test_keys_of_claude_hooks_are_fine_in_a_file_that_is_also_for_claude(tmp_path: Path) -> None:
    hooks = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "true", "async": True}]}]}}
    assert "hook-key" not in noisy(tmp_path / "1", {**gemini(), **claude({HOOKS: json.dumps(hooks)})})
    assert "hook-key" in noisy(tmp_path / "2", gemini({HOOKS: json.dumps(hooks)}))


def test_markdown_commands_are_fine_in_a_folder_that_is_also_a_claude_plugin(tmp_path: Path) -> None:
    tree: Tree = {**gemini(), **claude({"commands/fix.md": "Fix it"})}
    assert "command-markdown" not in noisy(tmp_path, tree)


def test_commands_in_more_folders_than_are_read_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS):
        (tmp_path / "project/commands" / str(number)).mkdir(parents=True)
    assert set(noisy(tmp_path, gemini())) == {"folders-left"}


def test_a_lint_is_silent_where_the_harness_itself_has_spoken(tmp_path: Path) -> None:
    assert noisy(tmp_path, gemini(settings={})) == ["manifest-breaks-install"]


@pytest.mark.parametrize(
    "prompt",
    [
        "Costs $5 today, $1,000 tomorrow",
        "!{git log | awk '{print $1}'} {{args}}",
        "Use `$1` in shell scripts",
        "```sh\necho $1\n```",
        "Hello! `git status` is a command",
        "Braces {in} text { are } fine",
        "Read @{notes.md} and !{echo '{}'}",
    ],
)
def test_prompts_that_are_fine(prompt: str, tmp_path: Path) -> None:
    assert noisy(tmp_path, command(f"prompt = '''{prompt}'''")) == []


@pytest.mark.parametrize(
    ("event", "matcher"),
    [
        ("BeforeTool", "write_.*|replace"),
        ("BeforeTool", "Bash|run_shell_command"),
        ("BeforeTool", "mcp_docs_.*"),
        ("AfterTool", "run_query"),  # a tool of some server: patterns are not anchored
        ("SessionStart", "startup"),
        ("PreCompress", "auto"),
        ("Notification", "*"),
    ],
)
def test_matchers_that_are_fine(event: str, matcher: str, tmp_path: Path) -> None:
    assert noisy(tmp_path, hook(event, matcher)) == []


@pytest.mark.parametrize(
    "command_line",
    ["echo ${HOME}", "node ${extensionPath}${/}run.js", "sh -c 'x=1; echo ${x}'", "$GEMINI_PROJECT_DIR/x", "${A:-b}"],
)
def test_variables_of_the_shell_are_fine_in_hooks(command_line: str, tmp_path: Path) -> None:
    assert noisy(tmp_path, {**hook("BeforeTool", command=command_line), "run.js": ""}) == []


def test_a_hook_may_set_the_variable_of_another_tool_itself(tmp_path: Path) -> None:
    env = {"CLAUDE_PLUGIN_ROOT": "${extensionPath}"}
    assert noisy(tmp_path, hook("BeforeTool", command="sh $CLAUDE_PLUGIN_ROOT", env=env)) == []


def test_texts_may_mention_variables_of_programs(tmp_path: Path) -> None:
    text = SKILL + "```js\nconst a = `${user.name} ${VERSION}`\n```\nRun ${extensionPath}/x.sh\n"
    assert noisy(tmp_path, gemini({"skills/review/SKILL.md": text})) == []


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"command": "npx", "args": ["-y", "docs@1.2.3"]}, ""),
        ({"command": "npx", "args": ["docs"]}, "server-floating"),
        ({"command": "npx", "args": ["-y", "@org/docs"]}, "server-floating"),
        ({"command": "npx", "args": ["-y", "@org/docs@2.0.0"]}, ""),
        ({"command": "npx", "args": ["-p", "docs@latest", "run-docs"]}, "server-floating"),
        ({"command": "uvx", "args": ["docs==1.0"]}, ""),
        ({"command": "uvx", "args": ["--from", "git+https://example.com/docs", "docs"]}, "server-floating"),
        ({"command": "uvx", "args": ["--from", "git+https://example.com/docs@v1", "docs"]}, "server-floating"),
        ({"command": "uvx", "args": ["--from", f"git+https://example.com/docs@{0:040}", "docs"]}, ""),
        ({"command": "uv", "args": ["run", "docs"]}, ""),
        ({"command": "bun", "args": ["x", "docs"]}, "server-floating"),
        ({"command": "npm", "args": ["start"]}, ""),
        ({"url": "https://example.com/mcp"}, ""),
        ({"command": "./run.sh"}, "server-relative"),
        ({"command": "./run.sh", "cwd": "${extensionPath}"}, ""),
        ({"command": "docs", "type": "ws"}, "server-no-launch"),
        ({"tcp": "localhost:1"}, "server-no-launch"),
        ({"command": "docs", "args": "one"}, "manifest-breaks-install"),
        ({"command": "docs", "args": [1]}, "server-field"),
    ],
)
def test_how_servers_are_started(config: dict[str, object], code: str, tmp_path: Path) -> None:
    assert noisy(tmp_path, server(**config)) == ([code] if code else [])


def test_a_setting_makes_its_variable_known(tmp_path: Path) -> None:
    setting = {"name": "Key", "description": "A key", "envVar": "DOCS_KEY", "sensitive": True}
    servers = {"docs": {"command": "docs", "env": {"KEY": "${DOCS_KEY}", "OTHER": "${X:-y}"}}}
    assert noisy(tmp_path, gemini(settings=[setting], mcpServers=servers)) == []


def test_imports_in_code_are_not_imports(tmp_path: Path) -> None:
    text = "Write `@./style.md` like so:\n```\n@./other.md\n```\nme@./x is no import\n"
    assert noisy(tmp_path, gemini({"GEMINI.md": text})) == []


def test_two_files_of_one_command_name_are_both_told(tmp_path: Path) -> None:
    tree = gemini({"commands/a b.toml": 'prompt = "x"', "commands/a_b.toml": 'prompt = "x"'})
    assert noisy(tmp_path, tree).count("command-taken") == 2


def test_a_component_that_is_broken_does_not_hide_another(tmp_path: Path) -> None:
    tree = gemini({"commands/a.toml": "\0", "commands/b.toml": "prompt = ", "agents/c.md": "", HOOKS: "[]"})
    assert {"nul-character", "command-syntax", "agent-no-header", "hooks-not-object"} <= set(noisy(tmp_path, tree))


def test_an_agent_plugin_that_is_fine_has_no_findings(tmp_path: Path) -> None:
    assert noisy(tmp_path, agent_plugin({"skills/review/SKILL.md": SKILL})) == []


def test_nesting_without_end_is_survived(tmp_path: Path) -> None:
    deep = '{"name": "x", "version": "1.0.0", "plan": ' + '{"a":' * 5000 + "1" + "}" * 5001
    assert codes(checked(tmp_path, {MANIFEST: deep}))


@pytest.mark.parametrize(
    "directory", ["${extensionPath}/plans", "${workspacePath}", "$HOME/plans", "${/}plans", "a/../b"]
)
def test_a_plan_directory_that_gemini_drops_is_reported(directory: str, tmp_path: Path) -> None:
    assert "plan-directory" in noisy(tmp_path, gemini(plan={"directory": directory}))


@pytest.mark.parametrize("directory", ["plans", "a${/}b", ".plans"])
def test_a_plan_directory_inside_the_project_is_fine(directory: str, tmp_path: Path) -> None:
    assert noisy(tmp_path, gemini(plan={"directory": directory})) == []


def test_a_folder_of_commands_in_a_manifest_has_no_effect_and_is_no_error(tmp_path: Path) -> None:
    result = checked(tmp_path, gemini(commands={"directory": "my-commands"}))
    assert [(each.code, each.severity) for each in result.diagnostics if each.code not in FINE] == [
        ("manifest-key", "warning")
    ]


def test_a_setting_that_only_adds_to_a_server_is_one_error_where_no_package_has_it(tmp_path: Path) -> None:
    result = checked(tmp_path, {".gemini/settings.json": '{"mcpServers": {"docs": {"timeout": 5}}}'})
    assert [code for code in codes(result) if code.startswith(("mcp-", "server-"))] == ["mcp-server-entry"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hooks/hooks.json", "{"),
        ("hooks/hooks.json", "[]"),
        ("hooks/hooks.json", '{"hooks": {"Never": []}}'),
        ("hooks/hooks.json", '{"hooks": {"PreToolUse": [5], "BeforeTool": [5]}}'),
        ("agents/a.md", "---\ndescription: d\n---\nx"),
        ("agents/a.md", "---\nname: [\n---\nx"),
        ("skills/s/SKILL.md", "---\nname: s\n---\nx"),
        ("skills/s/SKILL.md", "no header"),
        ("skills/s/SKILL.md", "---\nname: a: b\n---\nx"),
        ("commands/c.md", "---\ndescription: a: b\n---\nx"),
        ("commands/c.toml", '\ufeffprompt = "x"'),
    ],
)
def test_formats_that_share_a_file_report_one_problem_under_one_code(name: str, text: str, tmp_path: Path) -> None:
    tree = {**gemini(), **claude(), ".codex-plugin/plugin.json": '{"name": "box"}', name: text}
    result = checked(tmp_path, tree)
    by_place: dict[tuple[int, int], set[str]] = {}
    for each in result.diagnostics:
        if each.path.endswith(name) and each.line:
            by_place.setdefault((each.line, each.column), set()).add(each.code)
    assert [each for each in by_place.values() if len(each) > 1] == []
    assert by_place


def test_a_broken_manifest_of_an_installed_package_has_one_code(tmp_path: Path) -> None:
    plant(tmp_path / "home/.gemini/extensions/bad", {MANIFEST: '{"name": "bad",}'})
    places = Places(str(tmp_path / "home"), str(tmp_path), {})
    found = unique(each for kind in CAPABILITIES for each in discover(kind, places).diagnostics)
    assert [each.code for each in found] == ["manifest-invalid"]
