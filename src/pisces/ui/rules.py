"""Every rule there is, gathered from the files that report them, for `explain`, SARIF and the reference page."""

from __future__ import annotations

import os

from pisces.diagnostics import Rule

# Floors that look at other people's files. Folders below them are walked.
_WHERE_RULES_LIVE = (
    "discovery",
    "harnesses",
    "processes",
    "check",
    "packages",
    "scan",
    "modules",
    "commands",
    "gates",
    "ide",
)


def all_rules() -> dict[str, Rule]:
    """By code, sorted."""
    found: dict[str, Rule] = {}
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for floor in _WHERE_RULES_LIVE:
        for folder, folders, files in os.walk(os.path.join(home, floor)):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            package = ".".join(("pisces", *os.path.relpath(folder, home).split(os.sep)))
            for name in sorted(name[:-3] for name in files if name.endswith(".py") and name != "__init__.py"):
                module = __import__(f"{package}.{name}", fromlist=["*"])
                found.update({value.code: value for value in vars(module).values() if isinstance(value, Rule)})
    return dict(sorted(found.items()))
