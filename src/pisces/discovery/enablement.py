"""Is a package on in this folder? Rules are folders, `*` for all below, `!` for off; the last match decides.

A harness may keep them in an `extension-enablement.json` beside its packages.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


ENABLEMENT_FILE = "extension-enablement.json"

ENABLEMENT_UNREADABLE = Rule("enablement-unreadable", WARNING, "The enablement file cannot be read")


def read_rules(root: str) -> dict[str, Any] | Diagnostic:
    """The rules for the packages in a folder, by name."""
    path = os.path.join(root, ENABLEMENT_FILE)
    try:
        rules = parse(read_text(path))
    except Unreadable:
        return {}
    except Malformed as error:
        message = "every extension counts as enabled"
        return ENABLEMENT_UNREADABLE.at(path, message, place=(error.line, error.column), hint=error.message)
    return rules if isinstance(rules, dict) else {}


def is_enabled(rule: object, places: Places) -> bool:
    """`rule` is a package's entry in an enablement file: it starts on."""
    overrides = rule.get("overrides") if isinstance(rule, dict) else None
    folder = _slashed(places.cwd)
    enabled = True
    for override in overrides if isinstance(overrides, list) else ():
        if isinstance(override, str) and _matches(override.removeprefix("!"), folder):
            enabled = not override.startswith("!")
    return enabled


def _matches(pattern: str, folder: str) -> bool:
    """A star in the middle stands for any folders, or for none."""
    below = pattern.endswith("*")
    base = _slashed(pattern.rstrip("*"))
    start, *rest = base.split("/*")
    if not folder.startswith(start):
        return False
    at = len(start)
    for piece in rest:
        at = folder.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    if below:
        return True
    return folder.endswith(rest[-1]) if rest else at == len(folder)


def _slashed(folder: str) -> str:
    inside = folder.replace("\\", "/").strip("/")
    return f"/{inside}/" if inside else "/"
