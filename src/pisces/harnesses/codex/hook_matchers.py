"""Which of our events are events of Codex' hooks, under which names its tools are matched, and whether a matcher fits.

A matcher is a list of exact names, or a regular expression of Rust that may fit anywhere. What Codex would drop with a
warning fires for everything here.
"""

from __future__ import annotations

from functools import lru_cache

from pisces.discovery import tool_names
from pisces.gates.hooks.matchers import is_open, listed_names, rust_pattern
from pisces.shapes import events as ours
from pisces.shapes.request import TOOL
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.shapes.event import Event

HARNESS_ID = "codex"
BASH, PATCH, SUBAGENT = "Bash", "apply_patch", "spawn_agent"
COMMAND = "command"
NO_COMMAND = f"hook returned updatedInput without string field `{COMMAND}`"
_ALSO = {PATCH: ("Write", "Edit"), SUBAGENT: ("Agent",)}
_SHELLS, _SHELL = (tool_names.SHELL, tool_names.TYPE), "exec_command"

NAMES: dict[type[Event], str] = {
    ours.ToolCall: "PreToolUse",
    ours.PermissionAsked: "PermissionRequest",
    ours.ToolResult: "PostToolUse",
    ours.SessionBeforeCompact: "PreCompact",
    ours.SessionCompact: "PostCompact",
    ours.SessionStart: "SessionStart",
    ours.SessionShutdown: "SessionEnd",
    ours.Input: "UserPromptSubmit",
    ours.SubagentStart: "SubagentStart",
    ours.SubagentStop: "SubagentStop",
    ours.SessionStop: "Stop",
    ours.Interrupted: "Interrupt",
}
_SOURCES = {"new": "clear", "reload": "startup", "fork": "resume"}
END_REASON = "other"  # Codex has no other


def names_of(event: Event) -> tuple[str, ...]:
    if isinstance(event, ours.PermissionAsked) and event.kind != TOOL:
        return ()
    if isinstance(event, ours.ToolResult) and event.is_error and not is_shell(event.tool):
        return ()  # a command that failed is a result like any other, the failure of another tool is none
    name = NAMES.get(type(event))
    return (name,) if name else ()


def is_shell(tool: str) -> bool:
    return tool_names.meaning_of(tool) in _SHELLS


def source_of(event: ours.SessionStart) -> str:
    return _SOURCES.get(event.cause, event.cause)


def own_call(tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """As hooks see it: whatever reaches a shell is `Bash` with a command, whatever writes files is a patch."""
    name, own = tool_names.own_call(HARNESS_ID, tool, given)
    words = tool_names.words_of(name, own)
    if tool_names.meaning_of(name) in _SHELLS:
        command = own.get(words.get(tool_names.COMMAND, words.get(tool_names.TEXT, "")), "")
        return BASH, {COMMAND: tool_names.line_of(command) if isinstance(command, list) else command}
    if name == PATCH:
        return PATCH, {COMMAND: own.get(words[tool_names.CONTENT], "")}
    return name, own


def input_from(tool: str, given: Mapping[str, Any], before: Mapping[str, Any] = EMPTY) -> Mapping[str, Any]:
    """A hook changes the command alone: the other arguments of the call stay."""
    name, _ = own_call(tool, before)
    if name not in (BASH, PATCH):
        return tool_names.input_from(HARNESS_ID, tool, given)
    if not isinstance(given.get(COMMAND), str):
        raise ValueError(NO_COMMAND)
    if name == BASH:
        words = tool_names.words_of(tool, before)
        argument = words.get(tool_names.COMMAND, words.get(tool_names.TEXT, COMMAND))
        listed = isinstance(before.get(argument), list)
        return {**before, argument: ["bash", "-lc", given[COMMAND]] if listed else given[COMMAND]}
    argument = tool_names.words_of(PATCH)[tool_names.CONTENT]
    return tool_names.input_from(HARNESS_ID, tool, {argument: given[COMMAND]})


def rule_of_firing(loaded: LoadedHook, event: Event) -> int | None:
    """0 if Codex itself would run the hook, the number of our rule if only we do, None if it does not fire."""
    matcher = loaded.hook.matcher
    if is_open(matcher):
        return 0
    if isinstance(event, ours.ToolCall | ours.ToolResult | ours.PermissionAsked):
        return _of_tool(matcher, event.tool) if isinstance(matcher, str) else 4
    cause = _cause_of(event)
    if cause is None:
        return 0
    return _rule(matcher, (cause,), frozenset()) if isinstance(matcher, str) else 4


@lru_cache(1000)
def _of_tool(matcher: str, tool: str) -> int | None:
    name = own_call(tool, EMPTY)[0]
    others = tool_names.every_name(tool) | (tool_names.every_name(_SHELL) if is_shell(tool) else frozenset())
    return _rule(matcher, (name, *_ALSO.get(name, ())), others)


def _rule(matcher: str, names: tuple[str, ...], others: frozenset[str]) -> int | None:
    if _fits(matcher, names):
        return 0
    is_meant = _fits(matcher, others) or any(name in (*names, *others) for name in listed_names(matcher))
    return 4 if is_meant or _pattern_is_unread(matcher) else None


def _cause_of(event: Event) -> str | None:
    """What the matcher is compared with; None for events whose matcher does not count."""
    if isinstance(event, ours.SessionStart):
        return source_of(event)
    if isinstance(event, ours.SessionShutdown):
        return END_REASON
    if isinstance(event, ours.SubagentStart | ours.SubagentStop):
        return event.agent
    return event.trigger if isinstance(event, ours.SessionBeforeCompact | ours.SessionCompact) else None


def _fits(matcher: str, subjects: Iterable[str]) -> bool:
    if _is_list(matcher):
        return any(name in matcher.split("|") for name in subjects)
    pattern = rust_pattern(matcher)
    return pattern is not None and any(pattern.search(name) for name in subjects)


def _pattern_is_unread(matcher: str) -> bool:
    return not _is_list(matcher) and rust_pattern(matcher) is None


def _is_list(matcher: str) -> bool:
    return matcher.isascii() and all(letter.isalnum() or letter in "_|" for letter in matcher)
