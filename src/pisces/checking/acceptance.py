"""What a harness accepts when it is given the target of a check: `harnesses/<id>/checking.py` exports `ACCEPTANCE`."""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called
from pisces.checking.subject import Subject
from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import HARNESSES, Harness
from pisces.discovery.package_format import all_formats
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class CheckedPart(Value):
    """A component before any verdict: by dialect, the item that was found or the reason why it was rejected."""

    kind: str
    name: str
    path: str
    found: Mapping[str, Found]
    rejected: Mapping[str, Diagnostic]


class Acceptance(Value):
    """`reads` are the package formats that the harness loads; `refusal` says why a part does not load, or nothing.

    `bare_skills`: skills load without a package too. `called` is the harness's name in messages, its label by default.
    `without_manifest` explains a folder that would be a package of the harness if it had a manifest. `whole` says why
    the harness refuses a package that can be read, with all that is in it. `version` is the version of the program
    whose verdicts these are, empty where they follow its documentation. `namespaces` are the folders in packages of
    several clients that are this one's.
    """

    reads: tuple[str, ...]
    refusal: Callable[[CheckedPart, Subject], str]
    bare_skills: bool = True
    called: str = ""
    without_manifest: Callable[[str], Diagnostic | None] | None = None
    whole: Callable[[Subject], str] | None = None
    version: str = ""
    namespaces: tuple[str, ...] = ()

    def accepts(self, formats: tuple[str, ...]) -> bool:
        """Whether a target of these formats can load at all; a target without a format is a workspace or a file."""
        bare = [each.id for each in all_formats() if each.bare] if self.bare_skills else []
        return not formats or not set(formats).isdisjoint((*self.reads, *bare))

    def refused_whole(self, subject: Subject) -> str:
        """Why nothing of a package loads in this harness, or nothing."""
        refused = subject.refused.get(format_for(subject, self.reads), "")
        return refused or (self.whole(subject) if self.whole else "")

    @property
    def program(self) -> str:
        """The harness's name with the version whose verdicts these are."""
        return f"{self.called} {self.version}".rstrip()


def acceptances() -> dict[str, Acceptance]:
    """By the harness's id, sorted."""
    found: dict[str, Acceptance] = {}
    for folder in files_called(HARNESSES, "checking"):
        harness: Harness = export_of(HARNESSES, folder.rpartition(".")[2], "HARNESS")
        acceptance: Acceptance = export_of(folder, "checking", "ACCEPTANCE")
        found[harness.id] = acceptance if acceptance.called else acceptance.replace(called=harness.label)
    return dict(sorted(found.items()))


def names_by_format() -> dict[str, str]:
    """By package format: what messages call its harness."""
    known = acceptances()
    return {each.id: known[each.harness].called for each in all_formats() if each.harness in known}


def format_for(subject: Subject, formats: tuple[str, ...]) -> str:
    """The first of these formats that the folder is a package of: a harness reads its own manifest before others."""
    return next((each for each in formats if each in subject.formats), "")


def namespace_of(part: CheckedPart, subject: Subject) -> str:
    """The client's folder that the part is in, such as `com.example.client`; nothing where it is for every client."""
    first, *inside = os.path.relpath(part.path, subject.folder).split(os.sep)
    return first if inside and "." in first and not first.startswith(".") else ""


def is_program(part: CheckedPart) -> bool:
    """A command that runs a program of its package."""
    return part.kind == "commands" and any(found.item.executable for found in part.found.values())


def refused_in(part: CheckedPart, package_format: str) -> str:
    """The verdict of a package format, where a part that it does not see is at the wrong place."""
    verdict = refused_as(part, (package_format,))
    return f"it is not where a {package_format} has it" if verdict is None else verdict


def refused_as(part: CheckedPart, dialects: tuple[str, ...]) -> str | None:
    """The dialect's own verdict: empty when it loads, the reason when it is rejected, None when it was not seen."""
    if any(dialect in part.found for dialect in dialects):
        return ""
    return next((part.rejected[dialect].message for dialect in dialects if dialect in part.rejected), None)
