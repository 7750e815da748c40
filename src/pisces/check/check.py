"""`check`: what every harness rejects, what loads and still goes wrong, and which host loads what."""

from __future__ import annotations

import os

from pisces.check.aims import aims, packages_in
from pisces.check.checked import WORKSPACE, Checked, Target
from pisces.check.components import components
from pisces.check.host import all_hosts
from pisces.check.lint import all_lints
from pisces.check.settled import settled
from pisces.check.subjects import nothing_in, subject_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pisces.check.aims import Aim
    from pisces.check.host import Host
    from pisces.check.subject import Subject
    from pisces.diagnostics import Diagnostic
    from pisces.places import Places


def check(
    paths: Sequence[str],
    places: Places,
    hosts: Sequence[Host] | None = None,
    watched: Callable[[Iterable[Aim]], Iterable[Aim]] = iter,
) -> Checked:
    """Nothing is run, imported or fetched. `hosts` give verdicts, all of them by default; `watched` sees the work."""
    lints = all_lints()
    hosts = all_hosts() if hosts is None else hosts
    targets: list[Target] = []
    diagnostics: list[Diagnostic] = []
    pending = aims(paths, places)
    for aim in watched(_growing(pending)):
        subject = subject_of(aim, places)
        linted = [(lint.dialect, each) for lint in lints for each in lint.find(subject)]
        diagnostics.extend(settled(subject, linted))
        targets.append(Target(aim.kind, aim.path, subject.formats, components(subject, hosts)))
        if aim.kind == WORKSPACE:
            known = {each.path for each in pending}
            pending.extend(each for each in _brought(subject) if each.path not in known)
    diagnostics.extend(_nothing(pending, targets, diagnostics))
    kept = [each for each in targets if each.components or each.kind != WORKSPACE or _is_told(each, diagnostics)]
    return Checked(tuple(kept), tuple(sorted(dict.fromkeys(diagnostics), key=_order)))


def _growing(pending: list[Aim]) -> Iterator[Aim]:
    """A list that grows while it is worked on."""
    at = 0
    while at < len(pending):
        yield pending[at]
        at += 1


def _brought(subject: Subject) -> Iterator[Aim]:
    """The packages that a workspace's harnesses found, such as those below `.gemini/extensions`."""
    yield from packages_in(dict.fromkeys(found.item.path for found in subject.every("packages")))


def _nothing(pending: list[Aim], targets: list[Target], told: list[Diagnostic]) -> Iterator[Diagnostic]:
    """A folder that was asked for by name, in which there was nothing to check."""
    for aim, target in zip(pending, targets, strict=True):
        if aim.kind != WORKSPACE or not aim.explicit or target.components:
            continue
        others = [each.path for each in pending if each is not aim] + [each.path for each in told]
        if not any(path.startswith(os.path.join(aim.path, "")) for path in others):
            yield nothing_in(aim.path)


def _is_told(target: Target, told: list[Diagnostic]) -> bool:
    """Whether a workspace in which nothing loads has at least something to say, and is not only a folder of others."""
    hidden = os.path.join(target.path, ".")
    return any(each.path.startswith(hidden) for each in told)


def _order(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    return diagnostic.path, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message
