"""How each MCP server of a package is started, and whether that always starts the same code.

A launch floats if it fetches its program without an exact version. Files of the package are covered by its hash; a
program that is installed on the machine is not part of the package.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, WARNING, Rule
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.inventory import Inventory, inventory
from pisces.places import Places
from pisces.shapes.launch_words import float_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


LAUNCH_FLOATS = Rule("launch-floats", WARNING, "A server is started in whatever version there is at that moment")
LAUNCH_REMOTE = Rule("launch-remote", NOTE, "A server runs elsewhere, so no lock can pin it")

_ADDRESSES = ("httpUrl", "url", "serverUrl", "tcp")
PACKAGE = "<package>"  # stands for the folder that the package is installed in

# A lock file is committed, so it must not contain paths or variables of this machine.
_NOWHERE = Places("$HOME", "<workspace>")


class ServerLaunch(Value):
    """Either `argv` or `url` is empty. `reason` and `hint` say why it is not pinned and how to pin it."""

    name: str
    argv: tuple[str, ...] = ()
    url: str = ""
    pinned: bool = True
    reason: str = ""
    hint: str = ""


def anywhere(package: Inventory) -> Inventory:
    """The package, read without the variables of this machine: `$TOKEN` stays `$TOKEN`."""
    return inventory(package.folder, package.format, _NOWHERE)


def launches_of(package: Inventory) -> tuple[ServerLaunch, ...]:
    """One for each server, by name, the same on every machine."""
    servers = anywhere(package).of(MCP_SERVERS)
    found = [_launch(str(each.item.name), each.item.config, package.folder) for each in servers]
    return tuple(sorted(found, key=lambda launch: (launch.name, launch.argv, launch.url)))


def _launch(name: str, config: object, folder: str) -> ServerLaunch:
    fields = config if isinstance(config, dict) else {}
    words = (*_texts(fields.get("command")), *_texts(fields.get("args")))
    if words:
        argv = tuple(_here(word, folder) for word in words)
        floating = float_of(argv)
        if floating:
            return ServerLaunch(name, argv, "", False, floating.reason, floating.hint)
        return ServerLaunch(name, argv)
    url = next((fields[key] for key in _ADDRESSES if isinstance(fields.get(key), str)), "")
    reason = "it runs elsewhere and can change at any time" if url else "nothing says how it is started"
    return ServerLaunch(name, (), url, False, reason)


def _here(word: str, folder: str) -> str:
    return word.replace(folder, PACKAGE).replace(os.sep, "/") if folder in word else word


def _texts(value: object) -> Iterator[str]:
    listed = value if isinstance(value, list) else [value]
    yield from (str(each) for each in listed if isinstance(each, str | int | float))
