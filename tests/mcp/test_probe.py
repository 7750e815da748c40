"""`pisces mcp test` finds nothing wrong with good servers, and every fault that is planted in a bad one."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import ERROR
from pisces.discovery.found import USER, Found, Source
from pisces.mcp.plan import ServerPlan
from pisces.mcp.probe.check import BROKEN, SKIPPED, CheckOutcome, checked, server_checks
from pisces.mcp.probe.subject import ServerTarget
from pisces.places import Places
from pisces.processes.environment import child_env
from pisces.shapes.mcp_server import McpServer

SERVER = str(Path(__file__).parent / "servers" / "shell_server.py")
PEERS = Path(os.environ.get("PISCES_PEERS", Path(__file__).resolve().parents[2] / ".peers"))
ADD = ("add", {"a": 1, "b": 2})


def target(argv: tuple[str, ...], folder: Path, **changes: Any) -> ServerTarget:
    found = Found(McpServer("little", {"command": argv[0], "args": list(argv[1:])}, "", ()), Source("", "", "", USER))
    env = child_env({"PATH": os.environ["PATH"], "HOME": str(folder)}, {})
    plan = ServerPlan("little", found, argv=argv, env=env, cwd=str(folder), start_seconds=5)
    return ServerTarget(plan, Places(str(folder), str(folder)), seconds=1.0).replace(**changes)


def probe(fault: str, folder: Path, *calls: tuple[str, Mapping[str, Any]], **changes: Any) -> list[CheckOutcome]:
    return asyncio.run(checked(target((sys.executable, SERVER, fault), folder, calls=calls, **changes)))


def broken(outcomes: list[CheckOutcome]) -> dict[str, str]:
    return {each.check.rule.code: each.problems[0].message for each in outcomes if each.verdict == BROKEN}


def test_a_server_that_does_nothing_wrong_keeps_every_rule(tmp_path: Path) -> None:
    outcomes = probe("", tmp_path, ADD)
    assert broken(outcomes) == {}
    assert [each.check.rule.code for each in outcomes if each.verdict == SKIPPED] == []


def test_a_list_that_cannot_be_read_is_said_once(tmp_path: Path) -> None:
    outcomes = probe("no-resource-list", tmp_path, ADD)
    assert [*broken(outcomes)] == ["mcp-capabilities"]
    why = {each.check.rule.code: each.why for each in outcomes if each.verdict == SKIPPED}
    assert why["mcp-resource-read"] == "`resources/list` fails"


@pytest.mark.parametrize("habit", ["wrong-code", "empty-version"])
def test_a_habit_of_an_official_sdk_breaks_no_rule(habit: str, tmp_path: Path) -> None:
    assert broken(probe(habit, tmp_path, ADD)) == {}


FAULTS = [
    ("future", "mcp-version", "2031-01-01"),
    ("odd-version", "mcp-version", "'2'"),
    ("echoes-version", "mcp-version-unknown", "repeats"),
    ("refuses-version", "mcp-version-unknown", "with an error"),
    ("ignores-discover", "mcp-discover", "10 s"),
    ("dies-of-discover", "mcp-discover", "exit code 5"),
    ("no-server-version", "mcp-greeting", "`serverInfo.version`"),
    ("no-list", "mcp-capabilities", "no list `tools`"),
    ("no-resource-list", "mcp-capabilities", "`resources/list` fails"),
    ("unannounced", "mcp-unannounced", "`tools/list` has 2"),
    ("any-method", "mcp-unknown-method", "result"),
    ("odd-code", "mcp-unknown-method", "code 0"),
    ("dies-of-junk", "mcp-bad-message", "no JSON"),
    ("dies-of-cancel", "mcp-cancelled", "exit code 4"),
    ("any-level", "mcp-log-level", "accepted"),
    ("nameless", "mcp-tool-list", "no name"),
    ("endless", "mcp-tool-list", "again and again"),
    ("two-pages", "mcp-first-page", "1 of 2"),
    ("twice", "mcp-tool-twice", "`shout` is there 2 times"),
    ("odd-name", "mcp-tool-name", "' ', '/'"),
    ("long-name", "mcp-tool-name", "characters"),
    ("no-schema", "mcp-tool-schema", "is missing"),
    ("array-schema", "mcp-tool-schema", "'array'"),
    ("outer-ref", "mcp-tool-schema", "outside of itself"),
    ("lost-ref", "mcp-tool-schema", "not there"),
    ("odd-type", "mcp-tool-schema", "'text'"),
    ("deep-schema", "mcp-tool-schema", "too deep"),
    ("odd-required", "mcp-tool-schema", "`required`"),
    ("contradiction", "mcp-tool-hints", "only reads"),
    ("odd-hint", "mcp-tool-hints", "'yes'"),
    ("silent", "mcp-tool-silent", "`add`"),
    ("order", "mcp-tool-text", "`add`: "),
    ("hidden", "mcp-tool-text", "U+E0049"),
    ("prompt-order", "mcp-tool-text", "`greet`: "),
    ("unknown-tool", "mcp-unknown-tool", "no error"),
    ("dies-of-unknown-tool", "mcp-unknown-tool", "exit code 3"),
    ("output", "mcp-tool-call", "`outputSchema`"),
    ("odd-block", "mcp-tool-call", "'sum'"),
    ("no-content", "mcp-tool-call", "`content`"),
    ("structured-only", "mcp-structured-only", "no text"),
    ("empty-structure", "mcp-structured-only", "empty"),
    ("takes-anything", "mcp-bad-arguments", "`a`, which is required"),
    ("nameless-prompt", "mcp-prompt-list", "no `name`"),
    ("any-prompt", "mcp-unknown-prompt", "not an error"),
    ("nameless-resource", "mcp-resource-list", "no `name`"),
    ("empty-resource", "mcp-resource-read", "neither `text` nor `blob`"),
    ("any-resource", "mcp-unknown-resource", "has contents"),
    ("many-values", "mcp-completion", "101"),
    ("asks", "mcp-unoffered", "`roots/list`"),
    ("prints", "mcp-stdout", "listening"),
    ("odd-id", "mcp-stdout", "an answer to nothing"),
    ("chatty", "mcp-stderr", "bytes"),
    ("stays", "mcp-end-of-input", "still runs"),
    ("ignores-term", "mcp-terminated", "SIGTERM"),
    ("leaves-child", "mcp-left-behind", "1 of the processes"),
    ("dies", "mcp-start", "exit code 1): no database"),
    ("dies-at-length", "mcp-start", "exit code 1): Error: no database"),
    ("ping", "mcp-ping", "not answered"),
]


@pytest.mark.parametrize(("fault", "code", "said"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_a_planted_fault_is_found_and_named(fault: str, code: str, said: str, tmp_path: Path) -> None:
    found = broken(probe(fault, tmp_path, ADD))
    assert said in found[code]


def test_a_server_that_hangs_costs_its_own_time_and_everything_else_is_skipped(tmp_path: Path) -> None:
    given = target((sys.executable, SERVER, "hangs"), tmp_path)
    outcomes = asyncio.run(checked(given.replace(plan=given.plan.replace(start_seconds=0.5))))
    assert list(broken(outcomes)) == ["mcp-start"]
    assert {each.verdict for each in outcomes[1:-1]} == {SKIPPED}


def test_a_slow_start_names_the_harness_that_gives_up(tmp_path: Path) -> None:
    from pisces.mcp.probe.checks.a_start import _start_time
    from pisces.mcp.probe.subject import ServerSubject

    subject = ServerSubject(target(("never",), tmp_path))
    subject.ready_seconds = 12.0
    assert asyncio.run(_start_time(subject)) == ["it was ready after 12.0 s: Codex gives up after 10 s"]


def test_a_server_that_falls_silent_is_not_waited_for_again_and_again(tmp_path: Path) -> None:
    outcomes = probe("mute", tmp_path)
    assert len(broken(outcomes)) <= 6
    assert {each.why for each in outcomes if each.verdict == SKIPPED} & {"it does not answer any more"}


def test_a_server_that_never_stops_talking_is_tested_to_the_end(tmp_path: Path) -> None:
    outcomes = probe("floods", tmp_path)
    assert len(outcomes) == len(server_checks())
    assert not {"mcp-start", "mcp-ping", "mcp-tool-list"} & set(broken(outcomes))


@pytest.mark.parametrize("fault", ["endless-line", "nested", "half-character", "escape"])
def test_hostile_output_breaks_rules_and_not_the_test(fault: str, tmp_path: Path) -> None:
    outcomes = probe(fault, tmp_path)
    assert len(outcomes) == len(server_checks())
    assert broken(outcomes)


def test_a_secret_in_its_last_words_is_not_repeated(tmp_path: Path) -> None:
    said = broken(probe("secret", tmp_path))["mcp-start"]
    assert "cannot log in" in said
    assert "s3cr3t" not in said


def test_a_program_that_does_not_exist_is_one_finding(tmp_path: Path) -> None:
    outcomes = asyncio.run(checked(target(("/nowhere/server",), tmp_path)))
    assert list(broken(outcomes)) == ["mcp-start"]


def test_no_tool_is_called_that_nobody_named(tmp_path: Path) -> None:
    skipped = [each.check.rule.code for each in probe("", tmp_path) if each.verdict == SKIPPED]
    assert skipped == ["mcp-tool-call", "mcp-structured-only", "mcp-bad-arguments"]


def test_every_check_has_a_fault_that_breaks_it() -> None:
    tried = {code for _, code, _ in FAULTS} | {"mcp-start-time", "mcp-promised-tool"}
    assert {each.rule.code for each in server_checks()} - tried == set()


def plant(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def promises(folder: Path, package: str = "") -> list[str]:
    given = target((sys.executable, SERVER), folder)
    plan = given.plan.replace(found=given.plan.found.replace(package=package))
    outcomes = asyncio.run(checked(given.replace(plan=plan)))
    problems = [each for outcome in outcomes for each in outcome.problems if each.code == "mcp-promised-tool"]
    return [f"{Path(each.path).name}:{each.line}:{each.column} {each.message}" for each in problems]


def test_a_tool_that_an_agent_or_a_hook_names_and_the_server_lacks_is_found_with_its_line(tmp_path: Path) -> None:
    hook = {"matcher": "mcp__little__gone|mcp__little__add", "hooks": [{"type": "command", "command": "true"}]}
    plant(
        tmp_path,
        {
            ".claude/settings.json": json.dumps({"hooks": {"PreToolUse": [hook]}}),
            ".claude/agents/sums.md": "---\nname: sums\ndescription: Adds\ntools: mcp__little__ad\n---\nCall it.\n",
            ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nUse mcp__little__shout. Or mcp__o__x.\n",
        },
    )
    found = promises(tmp_path)
    assert [each.partition(" is named")[0] for each in found] == [
        "settings.json:1:" + found[0].split(":")[2].split(" ")[0] + " `mcp__little__gone`",
        "sums.md:4:8 `mcp__little__ad`",
    ]


def test_a_pattern_is_fine_if_it_fits_one_tool(tmp_path: Path) -> None:
    hooks = [{"matcher": matcher, "hooks": [{"type": "command", "command": "true"}]} for matcher in PATTERNS]
    plant(tmp_path, {".claude/settings.json": json.dumps({"hooks": {"PreToolUse": hooks}})})
    assert [each.split("`")[1] for each in promises(tmp_path)] == ["mcp__little__re"]


PATTERNS = ("mcp__little__.*", "mcp__little__ad.*", "mcp__little__sh[a-z]+", "mcp__little__re.*")


def test_a_package_is_asked_about_its_own_server_only(tmp_path: Path) -> None:
    agent = "---\nname: sums\ndescription: Adds\ntools: mcp__little__gone\n---\nCall it.\n"
    plant(tmp_path, {".claude/agents/sums.md": agent})
    assert promises(tmp_path, package="sums-kit") == []


def test_lists_of_offered_tools_name_tools_that_are_there(tmp_path: Path) -> None:
    given = target((sys.executable, SERVER), tmp_path)
    plan = given.plan.replace(include=("add", "subtract"), exclude=("shuot",))
    found = [
        each.message
        for outcome in asyncio.run(checked(given.replace(plan=plan)))
        for each in outcome.problems
        if each.code == "mcp-promised-tool"
    ]
    assert [each.split("`")[1] for each in found] == ["subtract", "shuot"]


SLOW = {"mcp-start-time", "mcp-end-of-input", "mcp-terminated"}  # on a busy machine
REAL = {"everything": (), "filesystem": (".",), "memory": ()}


@pytest.mark.parametrize("name", REAL)
def test_official_servers_break_no_rule(name: str, tmp_path: Path) -> None:
    script = PEERS / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    node = shutil.which("node")
    if node is None or not script.exists():
        pytest.skip("./scripts/setup-peers installs it")
    outcomes = asyncio.run(checked(target((node, str(script), *REAL[name]), tmp_path, seconds=20)))
    assert set(broken(outcomes)) <= SLOW
    assert not any(each.severity == ERROR for outcome in outcomes for each in outcome.problems)


PYTHON_SERVERS = {"git": (), "time": ("--local-timezone", "UTC")}


@pytest.mark.parametrize("name", PYTHON_SERVERS)
def test_servers_of_the_python_sdk_break_no_rule(name: str, tmp_path: Path) -> None:
    program = PEERS / "servers" / "bin" / f"mcp-server-{name}"
    if not program.exists():
        pytest.skip("./scripts/setup-peers installs it")
    given = target((str(program), *PYTHON_SERVERS[name]), tmp_path, seconds=20)
    outcomes = asyncio.run(checked(given.replace(plan=given.plan.replace(start_seconds=60))))
    assert set(broken(outcomes)) <= SLOW


FASTMCP = """
from fastmcp import FastMCP

server = FastMCP("fish")


@server.tool(description="The sum of two numbers.")
def add(a: int, b: int) -> int:
    return a + b


@server.resource("note://one")
def note() -> str:
    return "a note"


@server.prompt(description="A greeting.")
def greet(who: str) -> str:
    return f"Greet {who}."


server.run(show_banner=False)
"""


def test_a_server_of_another_implementation_is_tested(tmp_path: Path) -> None:
    python = PEERS / "servers" / "bin" / "python"
    if not python.exists():
        pytest.skip("./scripts/setup-peers installs it")
    (tmp_path / "fish.py").write_text(FASTMCP, "utf-8")
    given = target((str(python), "fish.py"), tmp_path, seconds=20, calls=(ADD,))
    outcomes = asyncio.run(checked(given.replace(plan=given.plan.replace(start_seconds=60))))
    assert not any(each.severity == ERROR for outcome in outcomes for each in outcome.problems)
