"""A detector: one concern, one file in `detectors/`, which exports `DETECTOR`. To add a detector, add a file."""

from __future__ import annotations

from pisces.by_name import export_of, names_in
from pisces.diagnostics import Diagnostics
from pisces.scanning.page import Page
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DETECTORS = "pisces.scanning.detectors"


class Detector(Value):
    """`find` must be linear in the page and must not raise; `title` completes "pisces scan looks for ...".

    `kinds` are the kinds of page that it looks at. `everywhere` means that tests and examples count like the rest.
    `in_plain_text` means that it also looks at a page whose strings were joined and decoded, `in_references` that it
    looks at documents to which a prompt sends the agent, as at prompts.
    """

    title: str
    find: Callable[[Page], Diagnostics]
    kinds: tuple[str, ...] = ("text",)
    everywhere: bool = False
    in_plain_text: bool = False
    in_references: bool = False


def all_detectors() -> list[Detector]:
    return [export_of(DETECTORS, name, "DETECTOR") for name in names_in(DETECTORS)]
