"""Policies and permissions that a package gives to itself."""

from __future__ import annotations

import re

from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.formats import toml_current
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place, toml_place
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt

GRANTED = Rule("scan-granted", WARNING, "A package allows its own tools to run unasked")

_SHELL_TOOLS = re.compile(r"\*|run_shell_command|shell|bash|Bash|ShellTool|mcp__\*|\.\*")
_WIDE_GRANTS = re.compile(
    r"\*|Bash(?:\((?:\*|:\*|\*:\*)\))?|Write(?:\(\*\*?\))?|Edit(?:\(\*\*?\))?|mcp__\*|run_shell_command|ShellTool"
)


def is_wide_grant(grant: str) -> bool:
    """Whether a permission rule allows any command or any edit."""
    return _WIDE_GRANTS.fullmatch(grant) is not None


def _find(page: Page) -> Diagnostics:
    if page.name.endswith(".toml") and "policies" in page.name.split("/")[:-1]:
        yield from _policy_rules(page)
    elif f"/{page.name}".endswith(page.known.grants):
        yield from _grants(page)


def _policy_rules(page: Page) -> Diagnostics:
    try:
        rules = toml_current.parse(page.text).get("rule")
    except Malformed:
        return
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if isinstance(rule, dict) and rule.get("decision") == "allow":
            finding = GRANTED.at(
                page.path, f"a rule allows {_tools(rule)}", place=toml_place(page.text, ("rule", index, "decision"))
            )
            yield finding if _is_wide(rule) else finding.replace(severity=NOTE)


def _tools(rule: JsonObject) -> str:
    names = rule.get("toolName", "*")
    prefix = rule.get("commandPrefix") or rule.get("commandRegex") or rule.get("argsPattern")
    tools = f"`{excerpt(', '.join(map(str, names)) if isinstance(names, list) else str(names))}`"
    return f"{tools} for `{excerpt(str(prefix))}`" if prefix else tools


def _is_wide(rule: JsonObject) -> bool:
    names = rule.get("toolName", "*")
    narrowed = any(rule.get(key) for key in ("commandPrefix", "commandRegex", "argsPattern", "mcpName"))
    every = names if isinstance(names, list) else [names]
    return not narrowed and any(_SHELL_TOOLS.fullmatch(str(name)) for name in every)


def _grants(page: Page) -> Diagnostics:
    settings = page.json if isinstance(page.json, dict) else {}
    for section, key in (("permissions", "allow"), ("tools", "allowed")):
        table = settings.get(section)
        allowed = table.get(key) if isinstance(table, dict) else None
        for index, grant in enumerate(allowed if isinstance(allowed, list) else ()):
            if isinstance(grant, str) and is_wide_grant(grant):
                place = json_place(page.text, (section, key, index))
                yield GRANTED.at(page.path, f"`{excerpt(grant)}` is allowed without asking", place=place)


DETECTOR = Detector("permissions that a package gives to itself", _find)
