"""Why a module did not load, said with the file and line of its author's own code and with what to do about it."""

from __future__ import annotations

import inspect
import os
import re
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.events.emit import error_text
from pisces.events.watchdog import TimedOut
from pisces.modules.entry import ModuleEntry
from pisces.modules.importing import PREFIX

MODULE_SYNTAX = Rule("module-syntax", ERROR, "A module is not valid Python")
MODULE_MISSING_IMPORT = Rule("module-missing-import", ERROR, "A module imports something that is not installed")
MODULE_IMPORT = Rule("module-import", ERROR, "A module fails while it is imported")
MODULE_FACTORY = Rule("module-factory", ERROR, "A module has no factory")
MODULE_FAILED = Rule("module-failed", ERROR, "A module's factory fails")
MODULE_EXITED = Rule("module-exited", ERROR, "A module wants to end the program while it is loaded")
MODULE_SLOW = Rule("module-slow", ERROR, "A module takes too long to load")


_OUR_NAME = re.compile(rf"{PREFIX}\d+")


def failure_of(error: BaseException, entry: ModuleEntry, factory: Any) -> Diagnostic:
    """`factory` is what the module exports, None where the error came up before that was known."""
    if isinstance(error, SyntaxError) and error.filename and os.path.isfile(error.filename):
        place = (error.lineno or 0, error.offset or 0)
        return MODULE_SYNTAX.at(error.filename, error.msg, place=place, about=entry.path)
    path, line = _place(error, entry, factory)
    rule, message, hint = _explained(error, entry, factory)
    return rule.at(path, _OUR_NAME.sub(entry.name, message), place=(line, 0), hint=hint, about=entry.path)


def no_factory(entry: ModuleEntry, found: Any) -> Diagnostic:
    what = "has no `extension`" if found is None else f"has an `extension` that is no function but {_kind(found)}"
    hint = "define `def extension(pisces):` and register there"
    return MODULE_FACTORY.at(entry.path, f"the module {what}", hint=hint, about=entry.path)


def _explained(error: BaseException, entry: ModuleEntry, factory: Any) -> tuple[Rule, str, str]:
    if isinstance(error, SystemExit):
        return MODULE_EXITED, f"the module {error_text(error)}", "raise an error that says what is missing"
    if isinstance(error, TimedOut):
        return MODULE_SLOW, f"loading {error_text(error)}", "do the work in a handler, for example of SessionStart"
    if isinstance(error, ModuleNotFoundError):
        return MODULE_MISSING_IMPORT, *_missing_import(error, entry)
    if isinstance(error, TypeError) and factory is not None and not _takes_one(factory):
        return MODULE_FAILED, error_text(error), "the factory takes one argument: `def extension(pisces):`"
    return (MODULE_IMPORT if factory is None else MODULE_FAILED), error_text(error), ""


def _missing_import(error: ModuleNotFoundError, entry: ModuleEntry) -> tuple[str, str]:
    """What is missing, and where to get it."""
    name = error.name or ""
    if _OUR_NAME.match(name):
        return f"there is no `{_OUR_NAME.sub('', name)}` in the module's folder", "relative imports end at that folder"
    top = name.partition(".")[0]
    beside = os.path.join(os.path.dirname(entry.path), top)
    if top and (os.path.isfile(f"{beside}.py") or os.path.isdir(beside)):
        hint = f"it lies beside the module: `from . import {top}`"
    else:
        hint = f"install it for the Python that runs pisces, as in `python -m pip install {top}`"
    return f"`{name}` is not installed", hint


def _takes_one(factory: Callable[..., Any]) -> bool:
    try:
        inspect.signature(factory).bind(None)
    except (TypeError, ValueError):
        return False
    return True


def _place(error: BaseException, entry: ModuleEntry, factory: Any) -> tuple[str, int]:
    """The deepest line of the module's own files; of the factory where only calling it failed."""
    home = (entry.folder or os.path.dirname(entry.path)) + os.sep
    for frames in _traces(error):
        own = [frame for frame in frames if frame.filename.startswith(home)]
        if own:
            return own[-1].filename, own[-1].lineno or 0
    code = getattr(factory, "__code__", None)
    return entry.path, code.co_firstlineno if code else 0


def _traces(error: BaseException) -> Iterator[list[traceback.FrameSummary]]:
    """Of the error and of what led to it: an interrupted module's line is in the interruption."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield list(traceback.extract_tb(current.__traceback__))
        current = current.__cause__ or current.__context__


def _kind(found: Any) -> str:
    name = type(found).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
