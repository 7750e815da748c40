"""Hooks in Claude Code's dialect: timeouts in the wrong unit, and matchers with the tool names of Gemini CLI."""

from __future__ import annotations

import re

from pisces.checking.hook_entries import HookEntry, hook_entries
from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import WARNING, Diagnostics, Rule
from pisces.discovery.finders.grouped_hooks import EVENTS
from pisces.discovery.tool_names import names_elsewhere
from pisces.harnesses.claude.tools import TOOLS

CLAUDE_HOOK_TIMEOUT = Rule("claude-hook-timeout", WARNING, "A hook's timeout is probably in milliseconds")
CLAUDE_HOOK_TOOL = Rule("claude-hook-tool", WARNING, "A hook's matcher names a tool of Gemini CLI")

_LONGEST = 3600
_TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")


def _find(subject: Subject) -> Diagnostics:
    for path in subject.paths("hooks", "claude-plugin", "claude"):
        for entry in hook_entries(path, subject.pages):
            if entry.event in EVENTS:
                yield from _flaws(path, entry)


def _flaws(path: str, entry: HookEntry) -> Diagnostics:
    timeout = entry.hook.get("timeout")
    if isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout > _LONGEST:
        hint = f"write {timeout / 1000:g}"
        message = f"`timeout` is {timeout:g} seconds"
        yield CLAUDE_HOOK_TIMEOUT.at(path, message, place=entry.place("timeout"), hint=hint, about=entry.event)
    matcher = entry.group.get("matcher")
    if entry.number == 0 and entry.event in _TOOL_EVENTS and isinstance(matcher, str):
        words = re.findall(r"\w+", matcher)
        own = {} if any(word in TOOLS for word in words) else names_elsewhere("claude")
        if words and all(word in own for word in words):
            instead = "|".join(own[word] for word in words)
            message = f"`{matcher}` matches no tool of Claude Code"
            place = entry.place("../matcher")
            yield CLAUDE_HOOK_TOOL.at(path, message, place=place, hint=f"write `{instead}`", about=entry.event)


LINT = Lint("hooks of Claude Code", _find, "claude-plugin")
