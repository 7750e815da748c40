"""The result of a check: targets with their components, and for each component which harness loads it."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.value import Value

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
    targets: tuple[CheckedTarget, ...]
    diagnostics: tuple[Diagnostic, ...]
