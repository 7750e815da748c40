"""The result of a check: targets with their components, and for each component which harness loads it."""

from __future__ import annotations

from pisces.checking.fix import Fix
from pisces.checking.suppression import Suppression
from pisces.diagnostics import Diagnostic
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PACKAGE = "package"
FILE = "file"
WORKSPACE = "workspace"
MARKETPLACE = "marketplace"


class HarnessVerdict(Value):
    """`reason` is empty where the component loads."""

    harness: str
    loads: bool
    reason: str = ""


class Component(Value):
    """`kind` is the id of a capability; `path` is absolute: the file that has the component in it."""

    kind: str
    name: str
    path: str
    verdicts: tuple[HarnessVerdict, ...]


class CheckedTarget(Value):
    """`path` is a folder or a single file; `formats` is empty for a workspace or a file."""

    kind: str
    path: str
    formats: tuple[str, ...]
    components: tuple[Component, ...]


class Checked(Value):
    """`comments` are those that suppress something, or are meant to; `fixes` are by the diagnostic that they mend."""

    targets: tuple[CheckedTarget, ...]
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[Suppression | Diagnostic, ...] = ()
    fixes: Mapping[Diagnostic, Fix] = EMPTY


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each once, by file and place."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=_place))


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    return diagnostic.path, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message
