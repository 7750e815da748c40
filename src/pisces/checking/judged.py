"""One harness's own view of a target: what it refuses or loses, and what is wrong with the files that it reads.

Diagnostics that speak for another harness are left out. Whatever is lost without a diagnostic of its own gets one.
"""

from __future__ import annotations

import os

from pisces.checking.acceptance import Acceptance, CheckedPart, format_for, namespace_of
from pisces.checking.checked import FILE, MARKETPLACE, PACKAGE
from pisces.checking.components import parts, verdict_of
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, Diagnostic, Diagnostics, Rule
from pisces.discovery.package_format import all_formats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NOT_FOR_HARNESS = Rule("not-for-harness", ERROR, "A package that the harness does not take")
REFUSED_WHOLE = Rule("refused-whole", ERROR, "A harness refuses a whole package")
NOT_LOADED = Rule("not-loaded", ERROR, "A harness does not load a part of a package")


def judged(
    subject: Subject, linted: Iterable[tuple[str, Diagnostic]], harness: str, acceptance: Acceptance
) -> tuple[Diagnostic, ...]:
    if subject.kind == MARKETPLACE:
        return subject.rejected.get(harness, ())
    if subject.formats and not acceptance.accepts(subject.formats):
        formats = ", ".join(each.label for each in subject.package_formats)
        return (NOT_FOR_HARNESS.at(subject.path, f"{acceptance.program} does not take it ({formats})"),)
    dialects = _dialects(subject, harness, acceptance)
    relevant = [each for dialect in dialects for each in subject.rejected.get(dialect, ())]
    places = {(each.path, each.line, each.column) for each in relevant}
    relevant += [
        each
        for dialect, each in linted
        if _speaks_for(dialect, harness) and (each.path, each.line, each.column) not in places
    ]
    relevant = [each for each in dict.fromkeys(relevant) if each.severity != ERROR or _is_loss(each, subject, harness)]
    relevant += _losses(subject, acceptance, dialects, {each.path for each in relevant if each.severity == ERROR})
    return tuple(relevant)


def _dialects(subject: Subject, harness: str, acceptance: Acceptance) -> tuple[str, ...]:
    """The dialects in which the harness reads the target."""
    if subject.kind == FILE:
        return tuple(dialect for dialect in subject.rejected if dialect in (harness, ""))
    read_as = format_for(subject, acceptance.reads)
    bare = [each.id for each in subject.package_formats if each.bare and acceptance.bare_skills]
    return tuple(filter(None, (read_as, harness, *(bare if not read_as else ()))))


def _speaks_for(dialect: str, harness: str) -> bool:
    return not dialect or any(each.id == dialect and each.harness == harness for each in all_formats())


def _is_loss(diagnostic: Diagnostic, subject: Subject, harness: str) -> bool:
    """An error of a format that is another harness's own is an error there; what this one loses is said by verdicts."""
    owners = {each.harness for each in subject.package_formats if diagnostic in subject.rejected.get(each.id, ())}
    return not owners or harness in owners or any(each.bare for each in subject.package_formats)


def _losses(subject: Subject, acceptance: Acceptance, dialects: tuple[str, ...], reported: set[str]) -> Diagnostics:
    whole = acceptance.refused_whole(subject) if subject.kind == PACKAGE else ""
    if whole:
        if not reported:
            yield REFUSED_WHOLE.at(subject.path, f"{acceptance.program} refuses the whole package: {whole}")
        return
    for part in parts(subject):
        namespace = namespace_of(part, subject)
        if namespace and namespace not in acceptance.namespaces:
            continue  # meant for another client
        if part.path not in reported and _is_read(part, dialects):
            reason = verdict_of(part, subject, acceptance)
            if reason:
                name = part.name or os.path.basename(part.path)
                yield NOT_LOADED.at(part.path, f"{acceptance.program} does not load `{name}`: {reason}", about=name)


def _is_read(part: CheckedPart, dialects: tuple[str, ...]) -> bool:
    return any(dialect in part.found or dialect in part.rejected for dialect in dialects)
