"""`check`: what every harness rejects, what loads and still goes wrong, and which harness loads what."""

from __future__ import annotations

import os

from pisces.checking.acceptance import Acceptance, acceptances
from pisces.checking.checked import WORKSPACE, Checked, CheckedTarget, in_order
from pisces.checking.components import components
from pisces.checking.fix import Fix, Fixers
from pisces.checking.judged import judged
from pisces.checking.lint import Lint, all_lints
from pisces.checking.merged import merged
from pisces.checking.subject import Subject
from pisces.checking.subjects import nothing_in, subject_of, workspace_of
from pisces.checking.suppression import Suppression, suppressions_in
from pisces.checking.targets import Target, packages_in, targets
from pisces.diagnostics import Diagnostic, Diagnostics
from pisces.discovery.denied import left_over
from pisces.discovery.package_roots import NEAR, Reach
from pisces.places import Places
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


class Scope(Value):
    """`harnesses` give verdicts. `only`: report nothing but what they refuse or lose. `reach`: how deep to look.

    `lints` are asked besides the usual ones.
    """

    harnesses: Mapping[str, Acceptance]
    only: bool = False
    reach: Reach = NEAR
    lints: tuple[Lint, ...] = ()


def check(
    paths: Sequence[str],
    places: Places,
    scope: Scope | None = None,
    watched: Callable[[Iterable[Target]], Iterable[Target]] = iter,
) -> Checked:
    """Runs, imports and fetches nothing. Without a scope every harness gives verdicts; `watched` reports progress."""
    scope = scope or Scope(acceptances())
    lints = [*all_lints(), *scope.lints]
    done: list[CheckedTarget] = []
    diagnostics: list[Diagnostic] = []
    comments: list[Suppression | Diagnostic] = []
    fixes: dict[Diagnostic, Fix] = {}
    cuts: list[str] = []
    pending = targets(paths, places, scope.reach, cuts)
    diagnostics.extend(left_over(cuts))
    fixers = Fixers(target.path for target in pending)
    for target in watched(_growing(pending)):
        subject = subject_of(target, places)
        linted = [(lint.dialect, each) for lint in lints for each in lint.find(subject)]
        found = tuple(_judged(subject, linted, scope)) if scope.only else merged(subject, linted)
        diagnostics.extend(found)
        fixes.update(fixers.fixes(found, subject))
        done.append(CheckedTarget(target.kind, target.path, subject.formats, components(subject, scope.harnesses)))
        files = dict.fromkeys((*(each.path for each in done[-1].components), *(each.path for each in found)))
        comments.extend(each for path in files for each in _comments(path, subject))
        if target.kind == WORKSPACE:
            known = {each.path for each in pending}
            pending.extend(each for each in _packages_of(subject) if each.path not in known)
    diagnostics.extend(_nothing(pending, done, diagnostics))
    shown = [each for each in done if each.components or each.kind != WORKSPACE or _is_reported(each, diagnostics)]
    return Checked(tuple(shown), in_order(diagnostics), tuple(dict.fromkeys(comments)), fixes)


def _comments(path: str, subject: Subject) -> list[Suppression | Diagnostic]:
    return suppressions_in(path, subject.folder, subject.pages.text(path))


def _judged(subject: Subject, linted: list[tuple[str, Diagnostic]], scope: Scope) -> Iterator[Diagnostic]:
    for harness, acceptance in scope.harnesses.items():
        view = subject
        if subject.kind == WORKSPACE:
            view = workspace_of(Target(subject.kind, subject.path), subject.places, harness)
        yield from judged(view, linted, harness, acceptance)


def _growing(pending: list[Target]) -> Iterator[Target]:
    """Iterates over a list to which the loop appends."""
    at = 0
    while at < len(pending):
        yield pending[at]
        at += 1


def _packages_of(subject: Subject) -> Iterator[Target]:
    """The packages that the harnesses of a workspace found, such as those below `.gemini/extensions`."""
    yield from packages_in(dict.fromkeys(found.item.path for found in subject.every("packages")))


def _nothing(pending: list[Target], done: list[CheckedTarget], reported: list[Diagnostic]) -> Diagnostics:
    """A folder that was named by the user and has nothing to check."""
    for target, checked in zip(pending, done, strict=True):
        if target.kind != WORKSPACE or not target.explicit or checked.components:
            continue
        others = [each.path for each in pending if each is not target] + [each.path for each in reported]
        if not any(path == target.path or path.startswith(os.path.join(target.path, "")) for path in others):
            yield nothing_in(target.path)


def _is_reported(target: CheckedTarget, reported: list[Diagnostic]) -> bool:
    """Whether a workspace without components has diagnostics of its own, in its hidden folders."""
    hidden = os.path.join(target.path, ".")
    return any(each.path.startswith(hidden) for each in reported)
