"""What a check says: targets with their components, and for each component which host loads it."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

PACKAGE = "package"
FILE = "file"
WORKSPACE = "workspace"


class HostVerdict(Value):
    """`reason` is empty where the component loads."""

    host: str
    loads: bool
    reason: str = ""


class Component(Value):
    """`kind` is the id of a capability; `path` is absolute and names the file that the component stands in."""

    kind: str
    name: str
    path: str
    hosts: tuple[HostVerdict, ...]


class Target(Value):
    """`path` is what was looked at, a folder or a single file; `formats` is empty for a workspace."""

    kind: str
    path: str
    formats: tuple[str, ...]
    components: tuple[Component, ...]


class Checked(Value):
    targets: tuple[Target, ...]
    diagnostics: tuple[Diagnostic, ...]
