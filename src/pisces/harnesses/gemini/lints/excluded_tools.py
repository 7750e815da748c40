"""`excludeTools`: compared by exact tool name, so patterns and misspelled names exclude nothing."""

from __future__ import annotations

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.formats.json import JsonObject
from pisces.harnesses.gemini.known_tools import is_tool_name
from pisces.harnesses.gemini.tools import hint_for

EXCLUDED_PATTERN = Rule("excluded-tool-pattern", ERROR, "A pattern in `excludeTools` excludes nothing")
EXCLUDED_UNKNOWN = Rule("excluded-tool-unknown", WARNING, "`excludeTools` names a tool that does not exist")


def _flaws(manifest: JsonObject) -> Flaws:
    names = manifest.get("excludeTools")
    for index, name in enumerate(names if isinstance(names, list) else ()):
        keys = ("excludeTools", index)
        if isinstance(name, str) and "(" in name:
            hint = 'forbid it with a rule in `policies/`: decision = "deny" and `commandPrefix`'
            yield Flaw(EXCLUDED_PATTERN, keys, f"`{name}` has no effect", hint)
        elif isinstance(name, str) and not is_tool_name(name):
            yield Flaw(EXCLUDED_UNKNOWN, keys, f"no tool is called `{name}`", hint_for(name))


LINT = manifest_lint("the tools that a Gemini extension excludes", _flaws, "gemini")
