"""Does a hook of Claude Code fire? Its matcher, and its `if`, which is one permission rule.

A matcher of letters, digits, `_`, `-`, blanks, `|` and `,` is a list of names; any other is a JavaScript regular
expression that may match anywhere. What cannot be understood fires for everything: Claude Code would never fire it.
"""

from __future__ import annotations

import os
import re

from pisces.formats.js_regex_match import js_pattern
from pisces.formats.path_glob import path_glob_matches
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.tool_effects import effects_of
from pisces.harnesses.claude.hook_events import own_call, subjects_of, tools_matched
from pisces.harnesses.claude.permission_lines import LineFiles, line_found
from pisces.harnesses.claude.permission_rules import (
    NO,
    domain_fits,
    host_of,
    name_fits,
    parameter_fits,
    rule_of,
)
from pisces.harnesses.claude.tools import TOOLS
from pisces.shapes.events import PermissionAsked, ToolCall, ToolResult
from pisces.shapes.verdict import DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.shapes.event import Event
    from pisces.shapes.hook import Hook
    from pisces.shapes.session_facts import SessionFacts

_ALL = (None, "", "*")
_NAMES = re.compile(r"[A-Za-z0-9_\-|, ]*")
_RULE = re.compile(r"([A-Za-z][\w-]*)(?:\((.*)\))?", re.DOTALL)
_PATHS = ("file_path", "path", "notebook_path")
_JOINTS = re.compile(r"&&|\|\||[;|&\n(){}`]|\$\(")
_ASSIGNMENTS = re.compile(r"\s*(?>(?:[A-Za-z_]\w*=\S*\s+)*)")
_QUOTES = re.compile(r"['\"\\]")


def fires(loaded: LoadedHook, event: Event, facts: SessionFacts) -> bool:
    hook = loaded.hook
    subjects = subjects_of(event)
    if subjects is not None and not matches(hook.matcher, subjects):
        return False
    condition = hook.fields.get("if")
    if condition is None or not isinstance(event, ToolCall | ToolResult | PermissionAsked):
        return True
    return not isinstance(condition, str) or holds(condition, event.tool, event.input, facts)


def matches(matcher: Any, subjects: tuple[str, ...]) -> bool:
    if matcher in _ALL or is_broken(matcher):
        meant = _rule_tool(matcher)
        return not meant or meant in subjects
    if _NAMES.fullmatch(matcher):
        return any(name.strip() in subjects for name in re.split(r"[|,]", matcher))
    pattern = js_pattern(matcher)
    return pattern is None or any(pattern.search(each) for each in subjects)


def is_broken(matcher: Any) -> bool:
    """Whether Claude Code would never fire it, though somebody meant it to."""
    if matcher in _ALL:
        return False
    if not isinstance(matcher, str) or _rule_tool(matcher):
        return True
    return not _NAMES.fullmatch(matcher) and js_pattern(matcher) is None


def is_misread(hook: Hook) -> bool:
    """Whether it fires by a matcher or a condition that Claude Code would not understand."""
    condition = hook.fields.get("if")
    return is_broken(hook.matcher) or (condition is not None and not _is_rule(condition))


def _is_rule(condition: object) -> bool:
    """As Claude Code reads a condition: brackets count for commands and files, and a tool of a server has none."""
    found = _RULE.fullmatch(condition) if isinstance(condition, str) else None
    if found is None or found[1].startswith("mcp__"):
        return isinstance(condition, str) and condition.startswith("mcp__") and not re.search(r"[(*]", condition)
    return not found[2] or found[1] not in ("Agent", "Task", "Skill", "WebFetch")


def _rule_tool(matcher: Any) -> str:
    """The tool of a permission rule that stands where a matcher belongs, such as `Bash(rm *)`."""
    found = _RULE.fullmatch(matcher) if isinstance(matcher, str) else None
    return found[1] if found and found[2] is not None and found[1] in TOOLS else ""


def holds(condition: str, tool: str, given: Mapping[str, Any], facts: SessionFacts) -> bool:
    """Whether a call fits a permission rule. A rule that cannot be read holds."""
    rule = _RULE.fullmatch(condition.strip())
    if rule is None:
        return not condition.strip().startswith("mcp__") or any(
            wildcard_matches(condition.strip(), each) for each in tools_matched(tool)
        )
    if rule[1] not in tools_matched(tool):
        return False
    if not rule[2] or rule[2] == "*" or _is_about_argument(condition, tool, given):
        return True
    return _content_fits(rule[2], tool, given, facts)


def _is_about_argument(condition: str, tool: str, given: Mapping[str, Any]) -> bool:
    parsed = rule_of(DENY, condition.strip(), "")
    return parsed is not None and any(parameter_fits(parsed, each) for each in (own_call(tool, given)[1], given))


def _content_fits(content: str, tool: str, given: Mapping[str, Any], facts: SessionFacts) -> bool:
    """What stands in the brackets of a rule: a command, a path, a domain, or the name of an agent or a skill."""
    own, own_input = own_call(tool, given)
    if own == "Bash":
        return _plainly_fits(content, own_input) or _line_fits(content, tool, given, facts)
    path = next((own_input[name] for name in _PATHS if isinstance(own_input.get(name), str)), None)
    if path is not None:
        return _path_fits(content, path, facts)
    rule, effects = rule_of(DENY, f"{own}({content})", ""), effects_of(ToolCall(tool, "", given))
    if rule and effects.addresses:
        return any(domain_fits(rule, host_of(each)) for each in effects.addresses)
    return rule is None or not effects.name or name_fits(rule, effects.name)


def sees_more(hook: Hook, event: Event) -> bool:
    """Whether the condition holds only because lines are read further here than Claude Code reads them."""
    condition = hook.fields.get("if")
    rule = _RULE.fullmatch(condition.strip()) if isinstance(condition, str) else None
    if rule is None or not rule[2] or not isinstance(event, ToolCall | ToolResult | PermissionAsked):
        return False
    own, given = own_call(event.tool, event.input)
    if own != "Bash":
        return _is_about_argument(str(condition), event.tool, event.input)
    return rule[2] != "*" and not _plainly_fits(rule[2], given)


def _plainly_fits(content: str, given: Mapping[str, Any]) -> bool:
    """As Claude Code itself reads a line: each of its parts, but not through `timeout` or `sh -c`."""
    return any(_fits(content, part) for part in _parts(str(given.get("command", ""))))


def _line_fits(content: str, tool: str, given: Mapping[str, Any], facts: SessionFacts) -> bool:
    """As our own rules read it: through wrappers, and what cannot be read may be meant."""
    call = ToolCall(tool, "", given)
    rule, effects = rule_of(DENY, f"Bash({content})", ""), effects_of(call)
    if rule is None or effects.line is None or effects.line.problem:
        return True
    return line_found(rule, effects.line, LineFiles(effects.line, facts)) != NO


def _parts(command: str) -> Iterator[str]:
    """Every piece that may be a command: cut at each operator, also inside quotes, so that none is missed."""
    for piece in (command, *_JOINTS.split(command)):
        plain = " ".join(_QUOTES.sub("", piece).split())
        yield plain
        yield plain[_ASSIGNMENTS.match(plain).end() :]  # type: ignore[union-attr]  # it matches nothing as well


def _fits(pattern: str, command: str) -> bool:
    if pattern.endswith(":*"):
        pattern = f"{pattern[:-2]} *"
    if pattern.endswith(" *") and wildcard_matches(pattern[:-2], command):
        return True
    return wildcard_matches(pattern, command)


def _path_fits(pattern: str, path: str, facts: SessionFacts) -> bool:
    """As in `.gitignore`: a bare name at any depth, and a folder stands for all that is in it."""
    absolute = os.path.normpath(os.path.join(facts.cwd, path))
    if pattern.startswith("//"):
        pattern, base = pattern.lstrip("/"), "/"
    elif pattern.startswith("~/"):
        pattern, base = pattern[2:], facts.home
    elif pattern.startswith("/"):
        return True  # relative to the settings file, which may be linked
    else:
        pattern, base = pattern.removeprefix("./"), facts.workspace
    inside = os.path.relpath(absolute, base).replace(os.sep, "/")
    if inside.startswith("../"):
        return False
    names = inside.split("/")
    wanted = pattern.rstrip("/") if "/" in pattern.rstrip("/") else f"**/{pattern.rstrip('/')}"
    return any(path_glob_matches(wanted, "/".join(names[: count + 1])) for count in range(len(names)))
