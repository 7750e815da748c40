"""What a hook is about in the words of a target, and which hooks somebody relies on."""

from __future__ import annotations

import pytest

from pisces.converting.fate import LOST_GUARD, LOST_HOOK
from pisces.converting.hook_tools import counterparts, is_guard, lost_hook, names_matched, tools_matched
from pisces.converting.plugin import PluginHook

NAMES = ("Bash", "Write", "Edit", "MultiEdit")
TOOLS = {"shell": ("Bash",), "write": ("Write",), "edit": ("Edit", "MultiEdit"), "topic": ()}


@pytest.mark.parametrize(
    ("matcher", "expected"),
    [
        (None, NAMES),
        ("", NAMES),
        ("*", NAMES),
        ("Bash", ("Bash",)),
        ("Write | Bash", ("Bash", "Write")),
        ("Write, Bash", ("Bash", "Write")),
        ("as", ()),
        ("bash", ()),
        ("Edit", ("Edit",)),
        (".*Edit", ("Edit", "MultiEdit")),
        ("^Edit$", ("Edit",)),
        ("a.h", ("Bash",)),
        ("(?i)bash", ()),
        ("Bash(rm *)", ()),
        ("(", ()),
        (5, ()),
        (["Bash"], ()),
        ("Bash||", ("Bash",)),
        ('tool == "Bash" && tool_input.command matches "rm"', ()),
        ('tool == "Bash" || tool == "Write"', NAMES),
    ],
)
def test_a_matcher_fits_names_as_its_own_program_reads_it(matcher: object, expected: tuple[str, ...]) -> None:
    assert names_matched(matcher, NAMES) == expected


def test_an_open_matcher_is_for_every_tool_also_for_those_that_only_the_target_has() -> None:
    found = tools_matched("*", TOOLS)
    assert found.every
    assert found.tools["topic"] == ("topic",)


def test_a_list_names_tools_servers_and_what_has_no_counterpart() -> None:
    found = tools_matched("Bash|MultiEdit|LSP|mcp__gh__push|mcp__gh", TOOLS)
    assert dict(found.tools) == {"shell": ("Bash",), "edit": ("MultiEdit",)}
    assert found.server_tools == ("mcp__gh__push",)
    assert found.unknown == ("LSP", "mcp__gh")


@pytest.mark.parametrize(
    ("matcher", "expected"),
    [
        ("mcp__.*", True),
        ("mcp__gh__(push|pull)", True),
        (".*", True),
        ("delete.*issue", True),
        ("mcp__.*very-good-cli__.*", True),
        ("^mcp__", True),
        ("^(?:Write|mcp__a__b)$", True),
        ("^x*mcp", True),
        ("^(?:)Write", False),
        ("Write|^Edit", True),
        ("(a)\\1", True),
        ("^(Write|Edit)$", False),
        ('tool == "Bash" && x', False),
        ("(", False),
    ],
)
def test_an_expression_may_fit_tools_of_servers_that_nobody_can_list(matcher: str, expected: bool) -> None:
    assert tools_matched(matcher, TOOLS).any_server is expected


def test_a_matcher_that_fits_nothing_is_empty() -> None:
    assert tools_matched("^Nope$", TOOLS).is_empty
    assert not tools_matched("Bash", TOOLS).is_empty


def test_counterparts_come_from_the_tables_of_both_harnesses() -> None:
    found = counterparts("claude", "gemini")
    assert found["run_shell_command"][0] == "Bash"
    assert found["replace"][:2] == ("Edit", "MultiEdit")
    assert found["update_topic"] == ()


def test_a_hook_that_runs_in_the_background_guards_nothing() -> None:
    guard = PluginHook("PreToolUse", "hooks/hooks.json")
    assert is_guard(guard)
    assert not is_guard(guard.replace(fields={"async": True}))
    assert not is_guard(guard.replace(name="PostToolUse"))
    assert lost_hook(guard, "why").code == LOST_GUARD.code == "lost-guard"
    assert lost_hook(guard.replace(name="SessionStart"), "why").code == LOST_HOOK.code == "lost-hook"
