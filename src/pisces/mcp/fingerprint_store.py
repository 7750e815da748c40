"""What is remembered of each server: a file for each entry of a settings file, in `servers/` of the user's own folder.

Only that folder is read, so a project cannot bring memories of its own. A file that cannot be read, or whose content is
not what was written, has a `problem`: then everything of the server is held.
"""

from __future__ import annotations

import hashlib
import os

from pisces.atomic import write_atomically
from pisces.diagnostics import PiscesError
from pisces.discovery.tool_names import plain_name
from pisces.file_lock import file_lock
from pisces.files import MISSING, Unreadable, entries, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.mcp.fingerprint import hash_of, text_of
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.mcp.fingerprint import Items
    from pisces.mcp.plan import ServerPlan
    from pisces.places import Places

VERSION = 1
_FOLDER, _LOCK, _ENDING = "servers", ".lock", ".json"
_MODE, _PATIENCE = 0o600, 5.0
_SHORT = 24


class ServerMemory(Value):
    """`path` is the settings file and `keys` lead to the entry in it; `launch` is the hash of what was started.

    `items` were reviewed, or accepted at the first use, when the server called itself `version`. `asked` are the sets
    of questions that it was allowed to ask us when it listed them: what a server offers depends on them. `listed` are
    the keys that were offered last. `seen` are the items of its last list where that differs, with `seen_version`.
    `rejected` is the hash of what the user refused.
    """

    name: str
    path: str
    keys: tuple[str, ...] = ()
    launch: str = ""
    version: str = ""
    items: Items = EMPTY
    asked: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    seen: Items | None = None
    seen_version: str = ""
    rejected: str = ""
    problem: str = ""

    @property
    def is_new(self) -> bool:
        return not self.asked and not self.problem

    @property
    def offered(self) -> Items:
        """What may be offered before the server has been started."""
        return {} if self.problem else {key: self.items[key] for key in self.listed if key in self.items}


def memory_of(plan: ServerPlan, places: Places) -> ServerMemory:
    """A new one where nothing is remembered."""
    new = _new(plan)
    return _read(_file(new, places), new)


def memories(places: Places) -> tuple[ServerMemory, ...]:
    """All that can be read, by name."""
    folder = os.path.join(places.agent_dir, _FOLDER)
    files = [each.path for each in entries(folder) if each.name.endswith(_ENDING)]
    found = [_read(path, ServerMemory("", path)) for path in files]
    found = [each.replace(name=_name_in(each.path)) if each.problem else each for each in found]
    return tuple(sorted(found, key=lambda each: (each.name, each.path)))


def remember(memory: ServerMemory, places: Places, change: Callable[[ServerMemory], ServerMemory]) -> ServerMemory:
    """The memory after the change, made from what is stored now. Raises OSError and `PiscesError`."""
    path = _file(memory, places)
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    with file_lock(os.path.join(os.path.dirname(path), _LOCK), _wait_silently, _PATIENCE):
        before = _read(path, ServerMemory(memory.name, memory.path, memory.keys, memory.launch))
        after = change(before)
        if after != before:
            write_atomically(path, _text(after).encode(), _MODE)
    return after


def forget(memory: ServerMemory, places: Places) -> None:
    """For one that cannot be read. Raises OSError."""
    path = memory.path if memory.problem else _file(memory, places)
    if os.path.isdir(path) and not os.path.islink(path):
        os.rmdir(path)
    else:
        os.unlink(path)


def _name_in(path: str) -> str:
    """Of a file that cannot be read, the server that its name is from, as far as that can be seen."""
    return os.path.basename(path).rpartition("-")[0]


def _new(plan: ServerPlan) -> ServerMemory:
    keys = tuple(map(str, plan.found.item.keys))
    return ServerMemory(plan.name, plan.found.source.path, keys, launch_of(plan))


def launch_of(plan: ServerPlan) -> str:
    """As a hash: a user may have written a secret into the line."""
    return hash_of(plan.exact)


def _file(memory: ServerMemory, places: Places) -> str:
    which = hashlib.sha256(text_of([memory.name, memory.path, *memory.keys]).encode()).hexdigest()[:_SHORT]
    name = f"{plain_name(memory.name)[:_SHORT]}-{which}{_ENDING}"
    return os.path.join(places.agent_dir, _FOLDER, name)


def _text(memory: ServerMemory) -> str:
    values = zip(memory.__fields__, memory.as_tuple(), strict=True)
    stored = {name: value for name, value in values if name != "problem"}
    return text_of({"format": VERSION, "hash": hash_of(stored), "memory": stored})


def _read(path: str, new: ServerMemory) -> ServerMemory:
    try:
        value = parse(read_text(path))
    except Unreadable as error:
        return new if error.kind == MISSING else new.replace(problem=f"`{path}` {error.message}")
    except Malformed as error:
        return new.replace(problem=f"`{path}` is broken: {error.message}")
    made = _memory(value)
    if made is None:
        return new.replace(problem=f"`{path}` is not as it was written")
    is_same = not new.name or (made.name, made.path, made.keys) == (new.name, new.path, new.keys)
    return made if is_same else new.replace(problem=f"`{path}` is about another server")


def _memory(value: Any) -> ServerMemory | None:
    stored = value.get("memory") if isinstance(value, dict) else None
    if not isinstance(stored, dict) or value.get("format") != VERSION or value.get("hash") != hash_of(stored):
        return None
    lists = {name: tuple(stored[name]) for name in ("keys", "asked", "listed") if isinstance(stored.get(name), list)}
    is_whole = (
        len(lists) == 3 and _is_items(stored.get("items")) and (stored.get("seen") is None or _is_items(stored["seen"]))
    )
    try:
        return ServerMemory(**{**stored, **lists}) if is_whole else None
    except TypeError:
        return None


def _is_items(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())


def _wait_silently(_why: str) -> None:
    """No progress message: the lock is held for milliseconds."""


FAILURES: tuple[type[Exception], ...] = (OSError, PiscesError)
