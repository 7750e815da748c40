"""`excludeTools`: compared by exact tool name, so patterns and misspelled names exclude nothing."""

from __future__ import annotations

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.harnesses.gemini.tools import hint_for, is_tool_name

EXCLUDED_PATTERN = Rule("excluded-tool-pattern", ERROR, "A pattern in `excludeTools` excludes nothing")
EXCLUDED_UNKNOWN = Rule("excluded-tool-unknown", WARNING, "`excludeTools` names a tool that does not exist")


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest is None or not isinstance(manifest[1].get("excludeTools"), list):
        return
    path, values = manifest
    for index, name in enumerate(values["excludeTools"]):
        if not isinstance(name, str):
            continue
        place = subject.pages.json_place(path, ("excludeTools", index))
        if "(" in name:
            hint = 'forbid it with a rule in `policies/`: decision = "deny" and `commandPrefix`'
            yield EXCLUDED_PATTERN.at(path, f"`{name}` has no effect", place=place, hint=hint)
        elif not is_tool_name(name):
            yield EXCLUDED_UNKNOWN.at(path, f"no tool is called `{name}`", place=place, hint=hint_for(name))


LINT = Lint("the tools that a Gemini extension excludes", _find, "gemini")
