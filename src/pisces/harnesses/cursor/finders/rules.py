"""Cursor's rules: every `.mdc` file below a rules folder. A plain `.md` file there is not a rule, and that is said."""

from __future__ import annotations

from pisces.diagnostics import WARNING, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.files import is_file, walk
from pisces.shapes.context_file import ContextFile

CURSOR_RULE_NOT_MDC = Rule("cursor-rule-not-mdc", WARNING, "A file among Cursor's rules does not end in .mdc")


def find(where: Where) -> FinderResults:
    scope = str(where.package.name) if where.package else where.level
    for entry in walk(where.path, cut=where.run.cuts.append):
        if entry.name.endswith(".mdc") and is_file(entry):
            yield where.found(ContextFile(entry.path, scope))
        elif entry.name.endswith(".md") and is_file(entry):
            yield CURSOR_RULE_NOT_MDC.at(
                entry.path, f"Cursor ignores `{entry.name}`", hint="rename it to end in `.mdc`", about=entry.name
            )
