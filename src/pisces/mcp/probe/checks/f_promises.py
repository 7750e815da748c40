"""What the server's entry and its package say of its tools holds: whoever names a tool names one that is there."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.capabilities import COMMANDS, HOOKS, MCP_SERVERS, POLICIES, SKILLS, SUBAGENTS
from pisces.discovery.harness import Run
from pisces.discovery.registry import discover
from pisces.files import Unreadable, read_text
from pisces.mcp.connection import TOOLS
from pisces.mcp.probe.check import ServerCheck
from pisces.shapes.policy import PolicyRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Found
    from pisces.mcp.probe.subject import ServerSubject, ServerTarget

PROMISED_TOOL = Rule("mcp-promised-tool", WARNING, "Somebody names a tool that the server does not have")

_KINDS: tuple[Capability, ...] = (HOOKS, POLICIES, COMMANDS, SKILLS, SUBAGENTS)
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")
_IS_PATTERN = re.compile(r"\.[*+?]|[*+?\[(\\{]")
_HINT = "mend the name, or the server"


async def _promised(subject: ServerSubject) -> list[Diagnostic]:
    names = (await subject.listing(TOOLS)).named()
    tools = {*names, *(_STRANGE.sub("_", name) for name in names)}
    plan = subject.target.plan
    lists = {"offered": plan.include or (), "left out": plan.exclude}
    wrong = [
        PROMISED_TOOL.at(subject.target.path, f"`{tool}` is to be {what}, and the server has no such tool", hint=_HINT)
        for what, listed in lists.items()
        for tool in listed
        if tool not in tools
    ]
    return [*wrong, *_mentioned(subject.target, tools)]


def _mentioned(target: ServerTarget, tools: set[str]) -> Iterator[Diagnostic]:
    run = Run()
    known = [each.item.name for each in discover(MCP_SERVERS, target.places, run=run).items]
    pattern = _spellings(target.plan.name, target.plan.found.package, known)
    seen: set[str] = set()
    for found in _beside(target, run) if target.brought is None else target.brought:
        if isinstance(found.item, PolicyRule):
            yield from _in_rule(found.item, target.plan.name, tools)
        if found.source.path not in seen and os.path.isfile(found.source.path):
            seen.add(found.source.path)
            yield from _in_file(found.source.path, pattern, tools)


def _beside(target: ServerTarget, run: Run) -> Iterator[Found]:
    """What came with the server: its package, or the loose files beside a loose entry."""
    for kind in _KINDS:
        for candidate in discover(kind, target.places, run=run).all:
            if candidate.found.package == target.plan.found.package:
                yield candidate.found


def _spellings(server: str, package: str, known: list[str]) -> re.Pattern[str]:
    """Every way to name a tool of the server. `mcp_a_b` may be of another server `a_b...`: then it is not read."""
    plain, of_package = _STRANGE.sub("_", server), _STRANGE.sub("_", package)
    heads = [f"mcp__{plain}__", f"{plain}__", *([f"mcp__plugin_{of_package}_{plain}__"] if package else [])]
    if not any(other.startswith(f"{plain}_") for other in known):
        heads.append(f"mcp_{plain}_")
    words = "|".join(map(re.escape, sorted(heads, key=len, reverse=True)))
    return re.compile(rf"(?<![A-Za-z0-9_-])(?:{words})(?P<tool>[A-Za-z0-9][A-Za-z0-9_-]{{0,200}})")


def _in_file(path: str, pattern: re.Pattern[str], tools: set[str]) -> Iterator[Diagnostic]:
    try:
        text = read_text(path)
    except Unreadable:  # whoever lists it says so
        return
    for found in pattern.finditer(text):
        name, rest = found["tool"], text[found.end() : found.end() + 2]
        is_there = name in tools or (_IS_PATTERN.match(rest) and any(tool.startswith(name) for tool in tools))
        if not is_there:
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
            message = f"`{found[0]}` is named, and the server has no tool `{name}`"
            yield PROMISED_TOOL.at(path, message, place=(line, column), hint=_HINT)


def _in_rule(rule: PolicyRule, server: str, tools: set[str]) -> Iterator[Diagnostic]:
    name = rule.fields.get("toolName")
    for each in name if isinstance(name, list) else [name]:
        if rule.mcp_name == server and isinstance(each, str) and "*" not in each and each not in tools:
            message = f"a rule is about `{each}` of `{server}`, and the server has no such tool"
            yield PROMISED_TOOL.at(rule.path, message, hint=_HINT)


CHECKS = (ServerCheck(PROMISED_TOOL, "every tool that is named by its package is there", _promised),)
