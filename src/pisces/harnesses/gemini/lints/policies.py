"""Policy files of Gemini CLI: tables and keys that are not read, tools that do not exist."""

from __future__ import annotations

import os

from pisces.checking.lint import Lint
from pisces.checking.pages import Pages
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.discovery.tool_names import names_elsewhere
from pisces.files import entries, is_folder
from pisces.harnesses.gemini.known_tools import is_tool_name
from pisces.harnesses.gemini.policy_shape import CHECKER, RULE
from pisces.harnesses.gemini.tools import hint_for

POLICY_KEY = Rule("policy-key", ERROR, "A policy has a table or key that Gemini CLI does not read")
POLICY_FOREIGN_TOOL = Rule("policy-foreign-tool", ERROR, "A policy rule names a tool of Claude Code")
POLICY_PLACE = Rule("policy-place", WARNING, "A policy file is not looked at")

_TABLES = {"rule": RULE, "safety_checker": CHECKER}


def _find(subject: Subject) -> Diagnostics:
    for path in _files(subject):
        values = subject.pages.toml(path)
        for table in values if isinstance(values, dict) else ():
            yield from _table(path, subject.pages, table, values[table])
    if "gemini" in subject.formats:
        yield from _elsewhere(subject.inside("policies"))


def _table(path: str, pages: Pages, table: str, rules: object) -> Diagnostics:
    if table not in _TABLES:
        hint = did_you_mean(table, _TABLES)
        yield POLICY_KEY.at(path, f"`{table}` is not read", place=pages.toml_place(path, (table,)), hint=hint)
        return
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        yield from _rule(path, pages, (table, index), rule)


def _files(subject: Subject) -> list[str]:
    """Files with rules, and files of a package without any, whose tables may be misnamed."""
    folder = [each.path for each in entries(subject.inside("policies")) if each.name.endswith(".toml")]
    paths = [*subject.paths("policies", "gemini"), *(folder if "gemini" in subject.formats else ())]
    return [path for path in dict.fromkeys(paths) if path.endswith(".toml")]


def _rule(path: str, pages: Pages, at: tuple[str, int], rule: object) -> Diagnostics:
    if not isinstance(rule, dict):
        return
    shape = _TABLES[at[0]]
    known = (*shape.required, *shape.optional)
    for key in rule:
        if key not in known:
            place = pages.toml_place(path, (*at, key))
            yield POLICY_KEY.at(path, f"`{key}` is not read", place=place, hint=did_you_mean(key, known))
    names = rule.get("toolName")
    for name in names if isinstance(names, list) else [names]:
        if not isinstance(name, str) or is_tool_name(name) or rule.get("mcpName"):
            continue
        if name in names_elsewhere("gemini"):
            place = pages.toml_place(path, (*at, "toolName"))
            yield POLICY_FOREIGN_TOOL.at(path, f"no tool is called `{name}`", place=place, hint=hint_for(name))


def _elsewhere(folder: str) -> Diagnostics:
    for entry in entries(folder):
        if not is_folder(entry):
            continue
        for inner in entries(entry.path):
            if inner.name.endswith(".toml"):
                name = os.path.relpath(inner.path, folder).replace(os.sep, "/")
                yield POLICY_PLACE.at(inner.path, f"`{name}` lies in a folder of its own", about=name)


LINT = Lint("policies of Gemini CLI", _find, "gemini")
