"""What the answers of several hooks say together, for dialects: denials, wishes to stop, notes."""

from __future__ import annotations

from pisces.shapes.note import CONTEXT, MESSAGE, STOP, Note
from pisces.shapes.verdict import DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.gates.hooks.dialect import HookAnswer, LoadedHook

    Answers = Iterable[tuple[LoadedHook, HookAnswer]]


def denials(answers: Answers) -> list[tuple[LoadedHook, HookAnswer]]:
    return [each for each in answers if each[1].decision == DENY]


def first_stop(answers: Answers) -> str | None:
    return next((answer.stop for _, answer in answers if answer.stop is not None), None)


def refusal_in(answers: Answers, *, fails_closed: bool) -> str | None:
    """The reason for which something does not go ahead, empty where nobody gave one; None if it goes ahead.

    `fails_closed` says whether a hook without a usable answer refuses as well.
    """
    for _, answer in answers:
        if answer.decision == DENY or answer.stop is not None:
            return answer.why or answer.stop or ""
        if answer.failure and fails_closed:
            return answer.failure
    return None


def all_notes(answers: Answers) -> tuple[Note, ...]:
    """What hooks say beside their decision, in their order."""
    found: list[Note] = []
    for loaded, answer in answers:
        who = loaded.hook.command
        found += [Note(CONTEXT, text, who) for text in answer.context]
        found += [Note(MESSAGE, answer.message, who)] if answer.message else []
        found += [Note(STOP, answer.stop, who)] if answer.stop is not None else []
    return tuple(found)
