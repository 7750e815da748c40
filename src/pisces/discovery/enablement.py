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
    """The whole folder, as the pattern is written: `*` stands for anything, and `/*` for nothing too.

    Every place that a beginning of the pattern may reach is kept, so that no pattern takes long.
    """
    reached, (*pieces, last) = {0}, pattern.split("*")
    for piece in pieces:
        below = piece.endswith("/")
        reached = _behind(piece.removesuffix("/"), reached, folder)
        starts = [at for at in reached if not below or folder.startswith("/", at)]
        reached |= set(range(min(starts) + below, len(folder) + 1)) if starts else set()
    return len(folder) in _behind(last, reached, folder)


def _behind(piece: str, reached: set[int], folder: str) -> set[int]:
    return {at + len(piece) for at in reached if folder.startswith(piece, at)}


def _slashed(folder: str) -> str:
    inside = folder.replace("\\", "/").strip("/")
    return f"/{inside}/" if inside else "/"
