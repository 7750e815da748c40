"""Hooks of a file that the user names for this run. Naming it means trust, so each hook in it has to be in force."""

from __future__ import annotations

import os

from pisces.checking.lone_file import read_alone
from pisces.checking.pages import Pages
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.capabilities import HOOKS
from pisces.discovery.found import USER
from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.loaded_dialects import dialect_of, known_dialects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

HOOKS_FILE = Rule("hooks-file", ERROR, "A file of hooks that was named cannot be used")


def hooks_of_file(path: str, places: Places) -> tuple[LoadedHook, ...]:
    """Raises `PiscesError` for a file that is none, or in which something is wrong: a guard that is named must hold."""
    path = places.absolute(path)
    if not os.path.isfile(path):
        raise PiscesError(HOOKS_FILE.at(path, "there is no such file"))
    harness, kind, found = read_alone(path, places, Pages())
    wrong = next((each for each in found if isinstance(each, Diagnostic)), None)
    if wrong is not None and kind == HOOKS.id:
        hint = wrong.hint or f"`pisces check {os.path.basename(path)}` shows all of it"
        raise PiscesError(HOOKS_FILE.at(path, wrong.message, place=(wrong.line, wrong.column), hint=hint))
    hooks = [each for each in found if not isinstance(each, Diagnostic) and kind == HOOKS.id]
    if not hooks:
        hint = f"a JSON file with `hooks`, in the shape of one of: {', '.join(known_dialects())}"
        raise PiscesError(HOOKS_FILE.at(path, "it has no hooks in it", hint=hint))
    unknown = next((each.item.dialect for each in hooks if dialect_of(each.item.dialect) is None), "")
    if unknown:
        raise PiscesError(HOOKS_FILE.at(path, f"hooks of {unknown} do not run in pisces"))
    return tuple(LoadedHook(each.item, each.source.replace(harness=harness, level=USER)) for each in hooks)
