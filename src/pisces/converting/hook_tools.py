"""Which tools of a target a hook is about, and which hooks somebody relies on to deny, for every writer of hooks.

A matcher is read as the programs with grouped hooks read it: nothing or `*` is every tool; letters, digits, `_`, `-`,
blanks, `|` and `,` are a list of names; anything else is a JavaScript expression that may match anywhere in the name.
"""

from __future__ import annotations

import re

from pisces.by_name import export_of, files_called
from pisces.converting.fate import APPROXIMATED, DROPPED, LOST_GUARD, LOST_HOOK, lost
from pisces.discovery.tool_names import names_for
from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_match import js_pattern
from pisces.formats.js_regex_reach import can_fit
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginHook

HARNESSES = "pisces.harnesses"
# Events at which a hook can refuse what is about to happen.
DENYING = frozenset(
    """
    PreToolUse PermissionRequest UserPromptSubmit UserPromptExpansion Stop SubagentStop
    BeforeTool BeforeAgent AfterAgent BeforeModel
    preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeSubmitPrompt
    """.split()
)
_PATCH = "apply_patch"
_NAMES = re.compile(r"[A-Za-z0-9_\-|, ]*")
_SERVER_TOOL = "mcp__"
_IN_NAMES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:"
_RULE = re.compile(r"(\w+)\(.*\)", re.DOTALL | re.ASCII)


class MatchedTools(Value):
    """`tools` has each tool of the target with the names by which the matcher means it.

    `every`: the matcher is open. `server_tools` are tools of MCP servers that it names, as the source spells them;
    `any_server`: it is an expression that may fit others. `unknown` are names without a counterpart.
    """

    tools: Mapping[str, tuple[str, ...]]
    every: bool = False
    server_tools: tuple[str, ...] = ()
    any_server: bool = False
    unknown: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.every or self.tools or self.server_tools or self.any_server)


def is_guard(hook: PluginHook) -> bool:
    """Whether the hook can deny. One that runs in the background decides nothing."""
    return hook.name in DENYING and hook.fields.get("async") is not True and hook.fields.get("asyncRewake") is not True


def lost_hook(hook: PluginHook, why: str, field: str = "") -> Fate:
    """A hook that the target does not get. A lost denial is an error."""
    return lost(DROPPED, LOST_GUARD if is_guard(hook) else LOST_HOOK, hook, why, field)


def lost_patches(hook: PluginHook, label: str) -> Iterator[Fate]:
    """A guard that waits for a patch, where the target asks about single edits."""
    if is_guard(hook) and isinstance(hook.matcher, str) and _PATCH in hook.matcher:
        why = f"{label} asks about no `{_PATCH}`: its edits hand over other arguments"
        yield lost(APPROXIMATED, LOST_GUARD, hook, why, field="matcher")


def is_open(matcher: Any) -> bool:
    return matcher in (None, "", "*")


def is_list(matcher: str) -> bool:
    return _NAMES.fullmatch(matcher) is not None


def names_matched(matcher: Any, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the names that the matcher fits. One that cannot be read fits none: its own program never fires it."""
    if is_open(matcher):
        return tuple(names)
    if not isinstance(matcher, str):
        return ()
    if is_list(matcher):
        listed = {each.strip() for each in re.split(r"[|,]", matcher)}
        return tuple(name for name in names if name in listed)
    if regex_flaw(matcher):
        return ()
    pattern = js_pattern(matcher)  # None where it is too costly to decide: it may fit everything
    return tuple(name for name in names if pattern is None or pattern.search(name))


def tools_matched(matcher: Any, counterparts: Mapping[str, tuple[str, ...]]) -> MatchedTools:
    """`counterparts` has each tool of the target with the source's names for it; one without keeps its own name."""
    everything = {name for tool, names in counterparts.items() for name in names or (tool,)}
    fitting = frozenset(names_matched(matcher, everything))
    found = {tool: tuple(each for each in names or (tool,) if each in fitting) for tool, names in counterparts.items()}
    tools = {tool: names for tool, names in found.items() if names}
    if is_open(matcher):
        return MatchedTools(tools, every=True)
    if not isinstance(matcher, str):
        return MatchedTools(tools)
    known = {name for names in counterparts.values() for name in names}
    if not is_list(matcher):
        rule = _RULE.fullmatch(matcher)  # `Bash(rm *)` is a permission, and as an expression it fits no tool there is
        may_fit = not (rule and rule[1] in known) and can_fit(matcher, _IN_NAMES, _SERVER_TOOL[0])
        return MatchedTools(tools, any_server=may_fit)
    listed = [name for each in re.split(r"[|,]", matcher) if (name := each.strip())]
    server_tools = tuple(name for name in listed if "__" in name.removeprefix(_SERVER_TOOL) and _is_server_tool(name))
    unknown = tuple(name for name in listed if name not in known and name not in server_tools)
    return MatchedTools(tools, server_tools=server_tools, unknown=unknown)


def counterparts(source: str, target: str) -> dict[str, tuple[str, ...]]:
    """Each tool of the target with the names that the source has for the same, by what is known of both."""
    own = _tools_of(target)
    meant = {name: names_for(target, name) for name in _tools_of(source)}
    return {tool: tuple(name for name, tools in meant.items() if tool in tools[:1]) for tool in own}


def _tools_of(harness: str) -> tuple[str, ...]:
    package = f"{HARNESSES}.{harness.replace('-', '_')}"
    return tuple(export_of(package, "tools", "TOOLS")) if package in files_called(HARNESSES, "tools") else ()


def _is_server_tool(name: str) -> bool:
    return name.startswith(_SERVER_TOOL)
