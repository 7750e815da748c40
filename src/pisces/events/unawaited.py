"""Notices a coroutine that a guard made and never awaited: the check that the guard wanted did not run.

Python warns of such a coroutine when it is thrown away, by calling a function of `warnings` that it looks up by name.
Ours takes its place with the first guard that is asked, and passes on what is not the doing of a guard. Filters of
warnings stay as the program has set them.
"""

from __future__ import annotations

import warnings
from typing import Any

from pisces.shapes.event import GuardNotes, running_call

_HOOK = "_warn_unawaited_coroutine"
_usual = getattr(warnings, _HOOK, None)  # without it nothing is noticed


class Forgotten(Exception):
    """A guard that decides without the answer that it asked for has not judged."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}(...)` was never awaited: write `await {name}(...)`, in an `async def`")


def notice_unawaited() -> None:
    if getattr(warnings, _HOOK, None) is not _notice:
        setattr(warnings, _HOOK, _notice)


def _notice(coroutine: Any) -> None:
    """Called where the coroutine ends: in the context of the guard, or in that of nobody we know."""
    call = running_call.get()
    if call is not None and isinstance(call.notes, GuardNotes):
        call.notes.append((None, getattr(coroutine, "__name__", "it"), False))
    elif _usual is not None:
        _usual(coroutine)
