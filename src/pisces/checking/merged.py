"""The diagnostics of one target: each once, and where several formats share a file, for which harness it is.

Two formats that read one file say the same with different rules. At one place the most severe of them stands for all.
"""

from __future__ import annotations

from pisces.checking.acceptance import names_by_format
from pisces.checking.subject import Subject
from pisces.diagnostics import SEVERITIES, Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def merged(subject: Subject, linted: Iterable[tuple[str, Diagnostic]]) -> tuple[Diagnostic, ...]:
    """What the harnesses reject comes first. A lint's diagnostic at the very same place is left out."""
    dialects_of: dict[Diagnostic, list[str]] = {}
    for dialect, rejected in subject.rejected.items():
        for diagnostic in rejected:
            dialects_of.setdefault(diagnostic, []).append(dialect)
    dialects_of = _one_code_at_a_place(dialects_of)
    taken = {_place(each) for each in dialects_of if each.line and _place(each)[1:] != (1, 1)}
    every = [*dialects_of.items()]
    every += [(each, [dialect] if dialect else []) for dialect, each in linted if _place(each) not in taken]
    if len(subject.formats) > 1:
        return _with_names(subject, every)
    return tuple(dict.fromkeys(each for each, _ in every))


def _one_code_at_a_place(dialects_of: dict[Diagnostic, list[str]]) -> dict[Diagnostic, list[str]]:
    """Without what another dialect says at the same place under another code; its dialects are added to the other's."""
    at: dict[tuple[str, int, int], Diagnostic] = {}
    for diagnostic in sorted(dialects_of, key=lambda each: SEVERITIES.index(each.severity)):
        at.setdefault(_place(diagnostic), diagnostic)
    made: dict[Diagnostic, list[str]] = {}
    for diagnostic, dialects in dialects_of.items():
        first = at[_place(diagnostic)]
        is_same = first.code == diagnostic.code or set(dialects_of[first]) & set(dialects) or not diagnostic.line
        named = made.setdefault(diagnostic if is_same else first, [])
        named += [dialect for dialect in dialects if dialect not in named]
    return made


def _with_names(subject: Subject, every: list[tuple[Diagnostic, list[str]]]) -> tuple[Diagnostic, ...]:
    """A file that another format loads is not broken as such: the message says for which harness it is."""
    loaded = _loaded(subject)
    names: dict[str, str] = {}
    named = []
    for diagnostic, dialects in every:
        if dialects and loaded.get(diagnostic.path, set()) - set(dialects):
            names = names or names_by_format()
            harnesses = " and ".join(names.get(dialect, dialect) for dialect in dialects)
            suffix = "" if harnesses in diagnostic.message else f" (for {harnesses})"
            diagnostic = diagnostic.replace(message=diagnostic.message + suffix)
        named.append(diagnostic)
    return tuple(dict.fromkeys(named))


def _loaded(subject: Subject) -> dict[str, set[str]]:
    """By path, the formats in which something was found there."""
    loaded: dict[str, set[str]] = {}
    for dialect, kinds in subject.found.items():
        for found in (each for kind in kinds.values() for each in kind):
            loaded.setdefault(found.item.path, set()).add(dialect)
    return loaded


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    return diagnostic.path, diagnostic.line, diagnostic.column
