"""Hooks of a plugin as hooks of a Gemini CLI extension: what is written, and what is reported instead."""

from __future__ import annotations

import json
import re
from time import process_time
from typing import Any

import pytest

from pisces.converting.fate import APPROXIMATED, DROPPED, MAPPED, NEVER_LOADED, lost
from pisces.converting.hook_shim import FOLDER
from pisces.converting.hook_tools import DENYING
from pisces.converting.plugin import Plugin, PluginHook, PluginServer, PluginSkill
from pisces.converting.writer import WriteOptions, Written
from pisces.harnesses.gemini.writing.hooks import HOOKS_FILE, written_hooks
from pisces.harnesses.gemini.writing.plan import plan_of

EVENTS = {
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "PostToolUseFailure": "AfterTool",
    "UserPromptSubmit": "BeforeAgent",
    "Stop": "AfterAgent",
    "SubagentStart": "BeforeTool",
    "SubagentStop": "AfterTool",
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "PreCompact": "PreCompress",
    "Notification": "Notification",
    "PermissionRequest": "BeforeTool",
}
NO_EVENTS = """
    UserPromptExpansion Setup PostToolBatch PostCompact TaskCreated TaskCompleted WorktreeCreate WorktreeRemove
    ConfigChange CwdChanged FileChanged InstructionsLoaded Elicitation ElicitationResult StopFailure TeammateIdle
    MessageDisplay PreModelSwitch PostModelSwitch PermissionDenied DirectoryAdded
""".split()


def hook(event: str, matcher: Any = None, **fields: Any) -> PluginHook:
    fields = {"type": "command", "command": "guard.sh", **fields}
    made = PluginHook(event, "hooks/hooks.json", fields, {}, matcher, fields["type"], fields.get("command", ""))
    return made.replace(dialect="claude", group={} if matcher is None else {"matcher": matcher})


def written(*hooks: PluginHook, **options: Any) -> Written:
    plugin = Plugin("My Guards", "1.0.0", "", "claude", "claude", hooks=hooks)
    return written_hooks(plan_of(plugin, WriteOptions(**options)))


def entries(found: Written) -> dict[str, list[dict[str, Any]]]:
    text = next((each.data for each in found.files if each.path == HOOKS_FILE), None)
    events: dict[str, list[dict[str, Any]]] = json.loads(text)["hooks"] if text else {}
    return events


def only(found: Written) -> dict[str, Any]:
    (groups,) = entries(found).values()
    (group,) = groups
    return group


@pytest.mark.parametrize(("event", "there"), EVENTS.items())
def test_an_event_is_written_under_the_name_that_gemini_has_for_it(event: str, there: str) -> None:
    found = written(hook(event))
    assert list(entries(found)) == [there]
    assert found.fates[0].kind == MAPPED


@pytest.mark.parametrize("event", NO_EVENTS)
def test_an_event_without_a_counterpart_is_reported_and_not_written(event: str) -> None:
    found = written(hook(event))
    assert not found.files
    (fate,) = found.fates
    assert (fate.kind, fate.code) == (DROPPED, "lost-guard" if event in DENYING else "lost-hook")


@pytest.mark.parametrize(
    ("matcher", "fires", "does_not"),
    [
        ("Bash", "run_shell_command", "mcp_x_run_shell_command"),
        ("Write|Edit", "write_file replace", "read_file my_write_file"),
        ("Write, MultiEdit", "write_file replace", "read_file"),
        ("Edit", "replace", "write_file"),
        (".*Edit", "replace", "read_file"),
        ("Read", "read_file read_many_files", "write_file"),
        ("Task", "invoke_agent", "run_shell_command"),
        ("WebFetch|WebSearch", "web_fetch google_web_search", "replace"),
        ("Grep|Glob|LS", "grep_search glob list_directory", "replace"),
        ("TodoWrite|TaskCreate", "write_todos tracker_create_task", "replace"),
        ("ExitPlanMode|AskUserQuestion|Skill", "exit_plan_mode ask_user activate_skill", "replace"),
        ("^(?!Read|Note)", "run_shell_command update_topic mcp_a_b", "read_file"),
        ("mcp__gh__push", "mcp_gh_push", "mcp_gh_pull run_shell_command"),
        ("mcp__plugin_My Guards_my_db__query", "mcp_my-db_query mcp_my_db_query", "mcp_db_query"),
        ("mcp__plugin_My_Guards_db__query", "mcp_db_query", "mcp_My_Guards_db_query"),
        ("mcp__.*", "mcp_gh_push", "run_shell_command"),
        ("Bash|LSP", "run_shell_command", "replace"),
        (".*", "run_shell_command update_topic mcp_a_b", ""),
    ],
)
def test_a_matcher_is_an_anchored_list_of_geminis_names(matcher: str, fires: str, does_not: str) -> None:
    pattern = re.compile(only(written(hook("PreToolUse", matcher)))["matcher"])
    assert [name for name in fires.split() if not pattern.search(name)] == []
    assert [name for name in does_not.split() if pattern.search(name)] == []


@pytest.mark.parametrize("matcher", [None, "", "*"])
def test_an_open_matcher_is_left_out(matcher: str | None) -> None:
    assert "matcher" not in only(written(hook("PreToolUse", matcher)))


@pytest.mark.parametrize(
    "matcher",
    ["bash", "Bash(rm *)", "(?i)bash", "(", 5, 'tool == "Bash" && tool_input.command matches "rm"', "^Nope$"],
)
def test_a_matcher_that_its_own_program_never_fires_is_not_revived(matcher: Any) -> None:
    found = written(hook("PreToolUse", matcher))
    assert not found.files
    # A plain name may be one that only Gemini CLI lacks.
    assert found.fates[0].code == ("lost-guard" if matcher == "bash" else "never-loaded")


def test_a_tool_that_only_the_source_has_is_a_lost_guard() -> None:
    assert [each.code for each in written(hook("PreToolUse", "LSP|ToolSearch")).fates] == ["lost-guard"]
    assert [each.code for each in written(hook("PostToolUse", "LSP")).fates] == ["lost-hook"]


@pytest.mark.parametrize(
    ("matcher", "expected"),
    [
        (None, [None]),
        ("startup", ["startup"]),
        ("startup|clear|compact", ["startup", "clear"]),
        ("startup|resume|clear|compact", [None]),
        ("startup|resume", ["startup", "resume"]),
    ],
)
def test_sources_of_a_session_are_split_because_gemini_compares_whole_texts(
    matcher: str | None, expected: list[str | None]
) -> None:
    groups = entries(written(hook("SessionStart", matcher)))["SessionStart"]
    assert [each.get("matcher") for each in groups] == expected


def test_a_start_after_a_compaction_alone_is_lost_and_one_beside_others_reported() -> None:
    alone = written(hook("SessionStart", "compact"))
    assert not alone.files
    assert alone.fates[0].code == "lost-hook"
    beside = written(hook("SessionStart", "startup|compact"))
    assert [(each.kind, each.field) for each in beside.fates[1:]] == [(APPROXIMATED, "group.matcher")]


@pytest.mark.parametrize(
    ("event", "matcher", "code"),
    [
        ("Notification", "idle_prompt", "lost-hook"),
        ("SessionEnd", "bypass_permissions_disabled", "lost-hook"),
        ("PreCompact", "nonsense", "never-loaded"),
        ("SessionStart", "nonsense", "never-loaded"),
    ],
)
def test_a_matcher_that_fits_nothing_there_is_reported(event: str, matcher: str, code: str) -> None:
    found = written(hook(event, matcher))
    assert not found.files
    assert [each.code for each in found.fates] == [code]


@pytest.mark.parametrize(
    ("event", "seconds", "expected"),
    [
        ("PreToolUse", None, 600_000),
        ("PreToolUse", 10.0, 10_000),
        ("PreToolUse", 5.0, 5000),
        ("PreToolUse", 0.5, 5500),
        ("UserPromptSubmit", None, 30_000),
        ("PreToolUse", 5000.0, 600_000),
        ("PreToolUse", 1e9, 600_000),
    ],
)
def test_seconds_become_milliseconds(event: str, seconds: float | None, expected: int) -> None:
    found = written(hook(event).replace(seconds=seconds))
    assert only(found)["hooks"][0]["timeout"] == expected
    clamped = [each for each in found.fates if each.field == "timeout"]
    assert len(clamped) == (1 if seconds and seconds >= 1000 else 0)


@pytest.mark.parametrize("type_", ["prompt", "agent", "mcp_tool", "nonsense"])
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "SubagentStop"])
def test_a_guard_of_a_type_that_gemini_has_not_is_an_error(type_: str, event: str) -> None:
    found = written(hook(event, type=type_, prompt="Judge"))
    assert not found.files
    assert [(each.code, each.severity, each.field) for each in found.fates] == [("lost-guard", "error", "type")]
    assert written(hook("PostToolUse", type=type_)).fates[0].code == "lost-hook"


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("Stop", {"if": "Bash(rm *)"}),
        ("PreToolUse", {"if": "Bash(rm"}),
        ("PreToolUse", {"if": 5}),
        ("PreToolUse", {"command": "run ${user_config.key}"}),
        ("PreToolUse", {"command": ""}),
        ("PreToolUse", {"timeout": 0}),
        ("PreToolUse", {"timeout": None}),
        ("PreToolUse", {"timeout": "5"}),
        ("PreToolUse", {"timeout": True}),
    ],
)
def test_what_its_own_program_never_runs_is_reported_and_not_written(event: str, fields: dict[str, Any]) -> None:
    found = written(hook(event, **fields))
    assert not found.files
    assert [each.code for each in found.fates] == ["never-loaded"]


def test_a_dead_hook_is_not_brought_to_life() -> None:
    found = written(hook("PreToolUse", "Bash").replace(dead="its file has an unknown event"))
    assert not found.files
    assert [(each.code, each.why) for each in found.fates] == [("never-loaded", "its file has an unknown event")]


def test_without_hooks_each_is_reported_and_guards_are_errors() -> None:
    found = written(hook("PreToolUse"), hook("SessionStart"), without_hooks=True)
    assert not found.files
    assert [(each.code, each.severity) for each in found.fates] == [("lost-guard", "error"), ("lost-hook", "warning")]


def test_fields_that_nobody_reads_are_listed_one_by_one() -> None:
    found = written(
        hook("PreToolUse", "Bash", description="d", priority=5, once=True, asyncRewake=True, rewakeMessage="m").replace(
            group={"matcher": "Bash", "description": "x", "hooks": []}
        )
    )
    lost = {each.field: each.kind for each in found.fates if each.is_loss and each.field}
    assert lost == {
        "description": DROPPED,
        "priority": DROPPED,
        "once": DROPPED,
        "asyncRewake": APPROXIMATED,
        "rewakeMessage": DROPPED,
        "group.description": DROPPED,
    }


def test_hooks_with_one_command_have_names_of_their_own_and_a_copy_is_written_once() -> None:
    one, two = hook("PreToolUse", "Bash", **{"if": "Bash(git *)"}), hook("PreToolUse", "Bash", **{"if": "Bash(rm *)"})
    found = written(one, two, one.replace(lines={"": 9}))
    handlers = [each["hooks"][0] for each in entries(found)["BeforeTool"]]
    assert len({each["name"] for each in handlers}) == len(handlers) == 2
    assert sum(each.kind == MAPPED for each in found.fates) == 3


def test_a_status_message_is_the_description() -> None:
    assert only(written(hook("Stop", statusMessage="Checking")))["hooks"][0]["description"] == "Checking"


def test_a_permission_hook_is_not_for_tools_that_nobody_is_asked_about() -> None:
    pattern = re.compile(only(written(hook("PermissionRequest")))["matcher"])
    assert pattern.search("run_shell_command")
    assert pattern.search("mcp_a_b")
    assert not pattern.search("read_file")
    assert re.search(only(written(hook("PermissionRequest", "Read")))["matcher"], "read_file")


def test_hooks_of_gemini_itself_stay_as_they_are() -> None:
    own = PluginHook("BeforeTool", "hooks/hooks.json", {"type": "command", "command": "x", "timeout": 5}, {}, "replace")
    found = written(own.replace(dialect="gemini", group={"matcher": "replace", "sequential": True, "hooks": []}))
    assert only(found) == {
        "matcher": "replace",
        "sequential": True,
        "hooks": [{"type": "command", "command": "x", "timeout": 5}],
    }
    assert [each.path for each in found.files] == [HOOKS_FILE]


def test_a_protocol_that_nobody_speaks_there_is_reported() -> None:
    found = written(hook("PreToolUse").replace(dialect="cursor"))
    assert not found.files
    assert found.fates[0].code == "lost-guard"


def test_the_program_comes_with_its_table_and_the_command_is_one_word_for_both_shells() -> None:
    found = written(hook("PreToolUse", "Bash", command='say "$HOME" `x` ${extensionPath}'))
    names = [each.path for each in found.files]
    assert names == [
        HOOKS_FILE,
        *(f"{FOLDER}/{name}" for name in ("find-node.sh", "hooks.json", "protocol.mjs", "run.mjs")),
    ]
    command = only(found)["hooks"][0]["command"]
    code = command.split('"')[1]
    assert not set(code) & set('$`"\\!')
    table = json.loads(next(each.data or b"" for each in found.files if each.path == f"{FOLDER}/hooks.json"))
    assert table["hooks"]["1"]["hook"]["command"] == 'say "$HOME" `x` ${extensionPath}'


def test_servers_of_the_package_are_known_by_both_names() -> None:
    plugin = Plugin(
        "p", "1", "", "claude", "claude", hooks=(hook("PreToolUse"),), servers=(PluginServer("my_db", "x"),)
    )
    files = written_hooks(plan_of(plugin, WriteOptions())).files
    table = json.loads(next(each.data or b"" for each in files if each.path == f"{FOLDER}/hooks.json"))
    assert table["servers"] == {"my-db": ["plugin_p_my_db", "my_db"]}


def test_a_script_of_a_skill_that_moves_is_found_where_it_is() -> None:
    skill = PluginSkill("deep", "skills/group/deep/SKILL.md")
    line = 'sh "${CLAUDE_PLUGIN_ROOT}"/skills/group/deep/run.sh $CLAUDE_PLUGIN_ROOT/bin/x'
    plugin = Plugin("p", "1", "", "claude", "claude", hooks=(hook("Stop", command=line),), skills=(skill,))
    files = written_hooks(plan_of(plugin, WriteOptions())).files
    table = json.loads(next(each.data or b"" for each in files if each.path == f"{FOLDER}/hooks.json"))
    expected = 'sh "${CLAUDE_PLUGIN_ROOT}"/skills/deep/run.sh $CLAUDE_PLUGIN_ROOT/bin/x'
    assert table["hooks"]["1"]["hook"]["command"] == expected


def test_loose_files_bring_no_hooks() -> None:
    found = written(hook("PreToolUse"), root="/root/.gemini/p")
    assert not found.files
    assert [each.code for each in found.fates] == ["lost-guard"]


def test_what_reading_has_reported_is_not_reported_again() -> None:
    dead = hook("PreToolUse").replace(dead="why")
    plugin = Plugin("p", "1", "", "claude", "claude", hooks=(dead,), fates=(lost(DROPPED, NEVER_LOADED, dead, "why"),))
    assert written_hooks(plan_of(plugin, WriteOptions())).fates == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"timeout": float("inf")},
        {"headers": {"a": float("inf")}, "url": "http://x", "type": "http"},
        {"command": "say \ud800"},
        {"statusMessage": "\ud800 \x00 ${extensionPath}"},
        {"args": [1, None, ["x"]]},
    ],
)
def test_what_is_no_json_costs_no_other_hook(fields: dict[str, Any]) -> None:
    found = written(hook("PreToolUse", "Bash"), hook("PreToolUse", "Bash", **fields))
    assert len(entries(found)["BeforeTool"]) == 2
    table = next(each.data or b"" for each in found.files if each.path == f"{FOLDER}/hooks.json")
    assert len(json.loads(table, parse_constant=pytest.fail)["hooks"]) == 2


def test_a_thousand_hooks_and_a_huge_matcher_take_no_time() -> None:
    start = process_time()
    many = [hook("PreToolUse", f"Bash|Tool{number}", command=f"guard {number}") for number in range(1000)]
    found = written(*many, hook("PreToolUse", "x" * 1_000_000), hook("PreToolUse", "(a|b)*" * 1000))
    assert len(entries(found)["BeforeTool"]) >= 1000
    assert max(len(each.why) for each in found.fates) < 500
    assert process_time() - start < 5


def test_writing_twice_gives_the_same_bytes() -> None:
    hooks = (hook("PreToolUse", "Bash"), hook("Stop"), hook("SessionStart", "startup|clear"))
    assert written(*hooks) == written(*hooks)
