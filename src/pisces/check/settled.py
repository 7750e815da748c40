"""Diagnostics of one target put together: each once, and where several formats share a file, whose view it is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.check.subject import Subject
    from pisces.diagnostics import Diagnostic

_HOST_OF = {
    "gemini": "Gemini CLI",
    "claude-plugin": "Claude Code",
    "agent-plugin": "Agent Plugins clients",
    "codex-plugin": "Codex",
    "cursor-plugin": "Cursor",
    "pi-package": "pi",
    "qwen": "Qwen Code",
}


def settled(subject: Subject, linted: Iterable[tuple[str, Diagnostic]]) -> tuple[Diagnostic, ...]:
    """What the harnesses reject comes first; a lint that says something about the very same place is left out."""
    tellers: dict[Diagnostic, list[str]] = {}
    for dialect, told in subject.rejected.items():
        for diagnostic in told:
            tellers.setdefault(diagnostic, []).append(dialect)
    taken = {_place(each) for each in tellers if each.line and _place(each)[1:] != (1, 1)}
    loaded = _loaded(subject) if len(subject.formats) > 1 else {}
    said = [_with_view(each, dialects, loaded) for each, dialects in tellers.items()]
    for dialect, each in linted:
        if _place(each) not in taken:
            said.append(_with_view(each, [dialect], loaded) if dialect else each)
    return tuple(dict.fromkeys(said))


def _with_view(diagnostic: Diagnostic, dialects: list[str], loaded: dict[str, set[str]]) -> Diagnostic:
    """A file that another format loads is not broken as such: the message says for whom it is."""
    if not loaded.get(diagnostic.path, set()) - set(dialects):
        return diagnostic
    hosts = " and ".join(_HOST_OF.get(dialect, dialect) for dialect in dialects)
    if hosts in diagnostic.message:
        return diagnostic
    return diagnostic.replace(message=f"{diagnostic.message} (for {hosts})")


def _loaded(subject: Subject) -> dict[str, set[str]]:
    """By path, the formats in which something was found there."""
    loaded: dict[str, set[str]] = {}
    for dialect, kinds in subject.found.items():
        for found in (each for kind in kinds.values() for each in kind):
            loaded.setdefault(found.item.path, set()).add(dialect)
    return loaded


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    return diagnostic.path, diagnostic.line, diagnostic.column
