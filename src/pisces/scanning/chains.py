"""Leaks over several files: one file of a chain reads a secret, another of the same chain sends something away."""

from __future__ import annotations

from pisces.diagnostics import ERROR, WARNING, Diagnostic
from pisces.scanning.detectors.leaks import sink_of, source_of
from pisces.scanning.detectors.secrets_sent import SECRETS_SENT
from pisces.scanning.page import TEXT, Page, excerpt
from pisces.scanning.roles import SHELL, SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pisces.scanning.started import Started

_SHORT = 6  # files: in a longer chain, two of them may have nothing to do with each other


def chained_leaks(started: Mapping[str, Started], read: Callable[[str], Page]) -> dict[str, list[Diagnostic]]:
    """By the name of the file that reads the secret."""
    chains: dict[str, list[str]] = {}
    for name, each in started.items():
        if each.origin:
            chains.setdefault(each.origin, []).append(name)
    found: dict[str, list[Diagnostic]] = {}
    for names in chains.values():
        for name, finding in _in_chain([read(name) for name in names]) if len(names) > 1 else ():
            found.setdefault(name, []).append(finding)
    return found


def _in_chain(pages: list[Page]) -> Iterator[tuple[str, Diagnostic]]:
    programs = [page for page in pages if page.kind == TEXT and page.role in (SHELL, SOURCE)]
    reading = [(page, source) for page in programs if (source := source_of(page)) and not sink_of(page)]
    sending = next((page for page in programs if sink_of(page)), None) if reading else None
    for page, ((what, found), severity) in reading if sending else ():
        sender = sending.name if sending else ""
        message = f"the file reads {what.what} (`{excerpt(found[0])}`), and `{sender}` of the same program sends data"
        finding = page.weighed(SECRETS_SENT, found.start(), message)
        is_sure = severity == ERROR and len(pages) <= _SHORT
        yield page.name, finding if is_sure or finding.severity != ERROR else finding.replace(severity=WARNING)
