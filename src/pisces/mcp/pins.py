"""Servers that start as one exact version: `server-pins.json`, mode 0600, and a folder with what was fetched for each.

A pin is bound to the entry: its file, its name, and its command line as it is written there. For another command line
it does not count. A file that is broken counts as empty.
"""

from __future__ import annotations

import json
import os
from shlex import quote

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.disk import disk_faults
from pisces.file_lock import file_lock
from pisces.formats.json_file import object_at
from pisces.mcp.pin_words import NotPinnable, fetched
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.mcp.plan import ServerPlan
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer

SERVER_PIN_STALE = Rule(
    "server-pin-stale", WARNING, "The entry of a pinned MCP server changed, so its pin does not count"
)
SERVER_PIN_GONE = Rule("server-pin-gone", ERROR, "What a pinned MCP server starts is not there any more")

_FILE = "server-pins.json"
PINNED = "pinned-servers"  # the folder of ours that has what was fetched
_MODE, _FOLDER_MODE = 0o600, 0o700


class ServerPin(Value):
    """`argv` is the entry's command line as written. `label` says what it is pinned to: kind, name and version;
    `integrity` is the hash that the registry gave for it. `command` starts it: the entry's own words come after.

    `tree` is the hash of all files of `folder`, as they were fetched.
    """

    argv: tuple[str, ...]
    label: str
    integrity: str
    command: tuple[str, ...]
    folder: str
    tree: str

    @property
    def shown(self) -> str:
        return f"{self.label} {self.integrity}".rstrip()


def pin_key(found: Found[McpServer]) -> str:
    return f"{found.source.path} /{found.item.name}"


def pin_of(found: Found[McpServer], places: Places) -> ServerPin | None:
    stored = object_at(_path(places)).get(pin_key(found))
    return _read(stored) if isinstance(stored, dict) else None


def remember_pin(found: Found[McpServer], pin: ServerPin, places: Places) -> None:
    """Raises `PiscesError` where it cannot be written."""
    _change(places, lambda stored: {**stored, pin_key(found): _written(pin)})


def forget_pin(found: Found[McpServer], places: Places) -> ServerPin | None:
    """The pin that there was. Its files stay."""
    before = pin_of(found, places)
    key = pin_key(found)
    if before is not None:
        _change(places, lambda stored: {name: each for name, each in stored.items() if name != key})
    return before


def pinned_plan(plan: ServerPlan, places: Places) -> ServerPlan | Diagnostic:
    """The plan as its pin has it; the plan itself where there is none, or where the entry changed since."""
    found = plan.found
    pin = pin_of(found, places)
    if pin is None:
        return plan
    path, name = found.source.path, plan.name
    if pin.argv != found.item.argv:
        message = f"server `{name}` was pinned as another command line, so the pin to {pin.label} does not count"
        stale = SERVER_PIN_STALE.at(
            path, message, hint=f"`pisces mcp pin {quote(name)}` pins it as it is now", about=name
        )
        return plan.replace(diagnostics=(*plan.diagnostics, stale))
    if not os.path.isdir(pin.folder):
        message = f"server `{name}` is pinned to {pin.label}, and {pin.folder} is gone"
        return SERVER_PIN_GONE.at(path, message, hint=f"`pisces mcp pin {quote(name)}` fetches it again", about=name)
    words, shown = _words(plan.argv), _words(plan.shown)
    return plan.replace(
        argv=(*pin.command, *words),
        shown=(*pin.command, *shown),
        floating="",
        pin=pin.shown,
        pin_folder=pin.folder,
        pin_tree=pin.tree,
        diagnostics=tuple(each for each in plan.diagnostics if each.code != _FLOATS),
        env={**plan.env, "PYTHONDONTWRITEBYTECODE": "1"},  # its files stay as they were hashed
    )


def folder_for(places: Places) -> str:
    """A new folder for what a pin fetches, readable by the user only."""
    parent = os.path.join(places.agent_dir, PINNED)
    with disk_faults(places.agent_dir):
        os.makedirs(parent, _FOLDER_MODE, exist_ok=True)
        path = os.path.join(parent, os.urandom(8).hex())
        os.mkdir(path, _FOLDER_MODE)
    return path


def _words(argv: tuple[str, ...]) -> tuple[str, ...]:
    try:
        parts = fetched(argv)
    except NotPinnable:
        parts = None
    return parts.words if parts else ()


_FLOATS = "server-floats"


def _change(places: Places, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    with disk_faults(places.agent_dir), file_lock(_path(places) + ".lock", lambda _text: None):
        text = json.dumps(dict(sorted(change(object_at(_path(places))).items())), indent=1)
        write_atomically(_path(places), text.encode("utf-8", "surrogateescape"), _MODE)


def _written(pin: ServerPin) -> dict[str, Any]:
    return dict(zip(pin.__fields__, pin.as_tuple(), strict=True))


def _read(stored: dict[str, Any]) -> ServerPin | None:
    texts = [stored.get(name) for name in ("label", "integrity", "folder", "tree")]
    lists = [stored.get(name) for name in ("argv", "command")]
    is_pin = all(isinstance(each, str) for each in texts) and all(isinstance(each, list) and each for each in lists)
    if not is_pin:
        return None
    argv, command = (tuple(map(str, each or ())) for each in lists)
    label, integrity, folder, tree = map(str, texts)
    return ServerPin(argv, label, integrity, command, folder, tree)


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
