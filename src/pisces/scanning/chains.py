"""What only several files do together: one reads a secret or fetches a program, another sends it or starts it."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostic
from pisces.scanning.clues import first
from pisces.scanning.contexts import READ
from pisces.scanning.detectors.fetched_code import DOWNLOAD_RUN, run_of, saved_files
from pisces.scanning.detectors.leaks import INPUT_SENT, sink_of, source_of
from pisces.scanning.detectors.secrets_sent import SECRETS_SENT
from pisces.scanning.page import TEXT, Page, excerpt
from pisces.scanning.roles import SHELL, SOURCE
from pisces.scanning.secret_sources import TRANSCRIPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pisces.scanning.started import Started

_FETCHERS = frozenset(b"curl wget aria2c iwr irm invoke certutil bitsadmin start".split())
_HOME = re.compile(r"\$\{?HOME\}?(?=/)|\$env:USERPROFILE|%USERPROFILE%")
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


def chained_downloads(scripts: list[Page]) -> dict[str, list[Diagnostic]]:
    """By the name of the file that fetches something which another one starts. A command line is a script, too."""
    found: dict[str, list[Diagnostic]] = {}
    for page in scripts:
        for at, name in saved_files(page.text) if not _FETCHERS.isdisjoint(page.tokens) else ():
            spelled = _at_home(name)
            if spelled[:1] not in ("/", "~", "%") or "/dev/" in spelled or page.context(at) == READ:
                continue
            starts, base = run_of(spelled), spelled.replace("\\", "/").rpartition("/")[2]
            others = (each for each in scripts if each.text != page.text and base in each.text)
            started = next((each for each in others if starts.search(_at_home(each.text))), None)
            if started:
                message = f"`{excerpt(name)}` is fetched here, and `{started.started or started.name}` starts it"
                found.setdefault(page.name, []).append(page.weighed(DOWNLOAD_RUN, at, message))
    return found


def _at_home(text: str) -> str:
    """One spelling of the user's home."""
    return _HOME.sub("~", text)


def _transcripts(pages: list[Page]) -> Iterator[tuple[str, Diagnostic]]:
    """A hook that reads the transcript in one file and sends something from another."""
    reading = [(page, found) for page in pages if page.is_hook and (found := first(page, TRANSCRIPT))]
    sending = next((page for page in pages if sink_of(page)), None) if reading else None
    for page, (_, place) in reading if sending else ():
        if page is not sending and sending:
            message = f"the hook reads the transcript (`{excerpt(place[0])}`), and `{sending.name}` sends data"
            yield page.name, page.weighed(INPUT_SENT, place.start(), message).replace(severity=WARNING)


def _in_chain(pages: list[Page]) -> Iterator[tuple[str, Diagnostic]]:
    programs = [page for page in pages if page.kind == TEXT and page.role in (SHELL, SOURCE)]
    yield from _transcripts(programs)
    reading = [(page, source) for page in programs if (source := source_of(page)) and not sink_of(page)]
    sending = next((page for page in programs if sink_of(page)), None) if reading else None
    for page, ((what, found), severity) in reading if sending else ():
        sender = sending.name if sending else ""
        message = f"the file reads {what.what} (`{excerpt(found[0])}`), and `{sender}` of the same program sends data"
        finding = page.weighed(SECRETS_SENT, found.start(), message)
        is_sure = severity == ERROR and len(pages) <= _SHORT
        yield page.name, finding if is_sure or finding.severity != ERROR else finding.replace(severity=WARNING)
