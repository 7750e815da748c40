"""A detector: one concern, one file in `detectors/`, which exports `DETECTOR`. Growth is one new file."""

from __future__ import annotations

from pisces.by_name import export_of, names_in
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.scan.page import Page

DETECTORS = "pisces.scan.detectors"


class Detector(Value):
    """`find` must be linear in the page and must not raise; `title` completes "pisces scan looks for ...".

    `tokens` are words of letters and digits only, `words` any text, both in lower case. They spare the detector the
    pages that have none of them; without any it sees every page. Tokens cost nothing, so they come first.
    `kinds` are the kinds of page that it looks at.
    """

    title: str
    find: Callable[[Page], Iterator[Diagnostic]]
    tokens: frozenset[bytes] = frozenset()
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("text",)


def tokens(text: str) -> frozenset[bytes]:
    return frozenset(text.encode().split())


def all_detectors() -> list[Detector]:
    return [export_of(DETECTORS, name, "DETECTOR") for name in names_in(DETECTORS)]
