"""How everything that a package starts by itself is started, and whether that always starts the same code.

A launch floats if it fetches its program without an exact version. Files of the package are covered by its hash; a
program that is installed on the machine is not part of the package.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import NOTE, WARNING, Rule
from pisces.discovery.inventory import Inventory, inventory
from pisces.discovery.package_acts import NOWHERE, PACKAGE, package_acts
from pisces.shapes.act import HOOK, PROGRAM, SERVER
from pisces.shapes.launch_words import float_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.shapes.act import Act
    from pisces.shapes.launch_runners import Floating

LAUNCH_FLOATS = Rule("launch-floats", WARNING, "Something is started in whatever version there is at that moment")
LAUNCH_REMOTE = Rule("launch-remote", NOTE, "A server runs elsewhere, so no lock can pin it")

_LAUNCHED = (SERVER, HOOK, PROGRAM)
_SENDS = re.compile(r"\s*(?:curl|wget)\s")
_GOES_ON = re.compile(r"[|;&`\n]|\$\(|[<>]\(")


class ServerLaunch(Value):
    """Either `argv` or `url` is empty. `reason` and `hint` say why it is not pinned and how to pin it.

    `kind` is that of the act: a server, a hook, or another program that is started.
    """

    name: str
    argv: tuple[str, ...] = ()
    url: str = ""
    pinned: bool = True
    reason: str = ""
    hint: str = ""
    kind: str = SERVER

    @property
    def started(self) -> tuple[str, str, tuple[str, ...], str]:
        return self.kind, self.name, self.argv, self.url


def anywhere(package: Inventory) -> Inventory:
    """The package, read without paths and variables of this machine: a lock file is committed."""
    return inventory(package.folder, package.format, NOWHERE)


def launches_of(package: Inventory) -> tuple[ServerLaunch, ...]:
    """One for everything that is started or reached by itself, by kind and name, the same on every machine."""
    acts = (act for act in package_acts(anywhere(package)) if act.kind in _LAUNCHED)
    found = dict.fromkeys(_launch(act, package.folder) for act in acts if act.kind == SERVER or act.argv or act.url)
    return tuple(sorted(found, key=lambda launch: (launch.kind != SERVER, launch.started)))


def _launch(act: Act, folder: str) -> ServerLaunch:
    if act.argv:
        argv = tuple(_here(word, folder) for word in act.argv)
        floating = floating_of(argv)
        if floating:
            return ServerLaunch(act.name, argv, "", False, floating.reason, floating.hint, act.kind)
        return ServerLaunch(act.name, argv, kind=act.kind)
    reason = "it runs elsewhere and can change at any time" if act.url else "nothing says how it is started"
    return ServerLaunch(act.name, (), _here(act.url, folder), False, reason, kind=act.kind)


def floating_of(argv: tuple[str, ...]) -> Floating | None:
    """Why this does not always start the same code. A line that only downloads or sends starts nothing of that."""
    line = argv[2] if argv[:2] == ("sh", "-c") else ""
    only_sends = _SENDS.match(line) and not _GOES_ON.search(line)
    return None if only_sends else float_of(argv)


def _here(word: str, folder: str) -> str:
    return word.replace(folder, PACKAGE).replace(os.sep, "/") if folder in word else word
