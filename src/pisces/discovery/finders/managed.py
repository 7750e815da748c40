"""What the administrator of this machine put down for everybody, in a folder that depends on the operating system."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import MANAGED, Found
from pisces.discovery.harness import Where, passed_on
from pisces.discovery.options import Managed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[Managed]) -> Iterator[Found | Diagnostic]:
    path = os.path.join(where.options.folder, *where.options.inside.split("/"))
    yield from passed_on(where.replace(level=MANAGED), where.options.then, path)
