"""A host: a tool that may be given the target, one file in `hosts/`, which exports `HOST`. Facts only."""

from __future__ import annotations

from pisces.by_name import export_of, files_called
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pisces.check.subject import Subject
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found

HARNESSES = "pisces.harnesses"


class Part(Value):
    """A component before anybody judged it: by dialect, the item that was found or the reason against it."""

    kind: str
    name: str
    path: str
    found: Mapping[str, Found]
    rejected: Mapping[str, Diagnostic]


class Host(Value):
    """`reads` names the package formats that the host takes; `refusal` says why a part does not load, or nothing."""

    id: str
    label: str
    reads: tuple[str, ...]
    refusal: Callable[[Part, Subject], str]


def all_hosts() -> list[Host]:
    hosts: list[Host] = [export_of(package, "checking", "HOST") for package in files_called(HARNESSES, "checking")]
    return sorted(hosts, key=lambda host: host.id)


def format_for(subject: Subject, formats: tuple[str, ...]) -> str:
    """The first of these formats that the folder is a package of: a host reads its own manifest before others."""
    return next((each for each in formats if each in subject.formats), "")


def is_program(part: Part) -> bool:
    """A command that runs a program of its package."""
    return part.kind == "commands" and any(found.item.executable for found in part.found.values())


def refused_as(part: Part, dialects: tuple[str, ...]) -> str | None:
    """The dialect's own verdict: empty when it loads, the reason when it is rejected, None when it was not seen."""
    if any(dialect in part.found for dialect in dialects):
        return ""
    told = next((part.rejected[dialect] for dialect in dialects if dialect in part.rejected), None)
    return told.message if told else None
