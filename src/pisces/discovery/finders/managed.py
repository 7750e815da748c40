"""What the administrator of this machine put down for everybody, in a folder that depends on the operating system.

Options:
    folders      operating system ("darwin", "win32", else "linux") to folder
    inside       a path below that folder
    finder       the finder that looks there
    options      its options; default none
"""

from __future__ import annotations

import os
import sys

from pisces.discovery.delegation import passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where

MANAGED = "managed"


def find(where: Where) -> Iterator[Found | Diagnostic]:
    path = os.path.join(folder_here(where.options["folders"]), *where.options.get("inside", "").split("/"))
    yield from passed_on(where.replace(level=MANAGED), path)


def folder_here(folders: Mapping[str, str]) -> str:
    return folders.get(sys.platform) or folders["linux"]
