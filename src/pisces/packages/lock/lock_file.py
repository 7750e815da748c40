"""`pisces.lock`: the exact content of every package of a project. The same pins always give the same text.

The file is not trusted: every name, path and hash is validated before use.
"""

from __future__ import annotations

import json
import os
import re

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.files import MAX_BYTES, MISSING, Unreadable, read_text
from pisces.formats.fit import FLAG, TEXT, WHOLE, Listed, Mapped, Record, misfits
from pisces.formats.json_file import parsed_json
from pisces.formats.position import json_place
from pisces.packages.fetching import Fetched, pinned
from pisces.packages.fetching.source import ARCHIVE, FILE_URL, PackageSource, checked, file_url, source_from_json
from pisces.packages.launches import ServerLaunch
from pisces.packages.lock.project_file import REQUIREMENT, Project, Requirement, name_fault
from pisces.packages.store.tree import VERSION_HERE, WITH_RUN_BITS, WITHOUT_RUN_BITS, hash_of, without_run_bits
from pisces.packages.store.validate_tree import TreeEntry, validate_entries
from pisces.shapes.act import SERVER
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.packages.store.tree import Tree

LOCK_BROKEN = Rule("lock-broken", ERROR, "The lock file cannot be used")
LOCK_CONFLICT = Rule("lock-conflict", ERROR, "The lock file holds both sides of a merge")

VERSION = 1
_HASHES = (WITHOUT_RUN_BITS, WITH_RUN_BITS)
_MARKS = re.compile(r"^(?:<{7}|>{7}|={7}|\|{7})(?: .*)?\r?$", re.MULTILINE)
_HASH = TEXT.that(lambda text: "" if re.fullmatch("sha256:[0-9a-f]{64}", text) else "must be `sha256:` and 64 digits")
_FILE_HASH = TEXT.that(
    lambda text: "" if re.fullmatch("(?:file|program|link):[0-9a-f]{64}", text) else "must be a kind and 64 digits"
)
_PIN = TEXT.that(
    lambda text: "" if re.fullmatch("[0-9a-f:]*|sha256:[0-9a-f]{64}", text) else "must be a commit or a hash"
)
_SERVER = Record(
    {"name": TEXT, "pinned": FLAG},
    {"argv": Listed(TEXT), "url": TEXT, "reason": TEXT, "hint": TEXT, "kind": TEXT},
    closed=True,
)
_PACKAGE = Record(
    {
        "name": TEXT.that(name_fault),
        "version": TEXT,
        "format": TEXT,
        "asked": REQUIREMENT,
        "source": Record({"kind": TEXT, "location": TEXT}),
        "tree": _HASH,
        "servers": Listed(_SERVER),
        "files": Mapped(_FILE_HASH),
    },
    {
        "commit": _PIN,
        "tag": TEXT,
        "hash_version": WHOLE.that(lambda version: "" if version in _HASHES else "is not known"),
    },
    closed=True,
)
_SHAPE = Record({"version": WHOLE, "packages": Listed(_PACKAGE)}, closed=True)


class Pin(Value):
    """One package of the lock. `asked` is from the project file, `source` is what it resolved to.

    Pins of `hash_version` 1, of an earlier pisces or made on Windows, do not say which files have the run bit.
    """

    name: str
    version: str
    format: str
    asked: Requirement
    source: PackageSource
    commit: str
    tag: str
    tree: str
    servers: tuple[ServerLaunch, ...]
    files: dict[str, str]
    hash_version: int = WITHOUT_RUN_BITS

    @property
    def exact(self) -> PackageSource:
        """The source of exactly this content, as long as its host has it."""
        return pinned(Fetched("", self.source, self.commit, self.tag))

    @property
    def here(self) -> tuple[str, int]:
        """The hash of this content as it is made on this machine, and its version."""
        if self.hash_version == WITH_RUN_BITS and VERSION_HERE == WITHOUT_RUN_BITS:
            return hash_of(without_run_bits(self.files)), WITHOUT_RUN_BITS
        return self.tree, self.hash_version

    def is_of(self, tree: Tree) -> bool:
        """Run bits count if both sides know of them."""
        if hash_of(self.files) != self.tree:
            return False
        if WITHOUT_RUN_BITS in (self.hash_version, tree.version):
            return without_run_bits(tree.as_json()) == without_run_bits(self.files)
        return tree.as_json() == self.files


def read_lock(project: Project) -> dict[str, Pin] | None:
    """The pins by name; None without a lock file. Raises for an invalid one."""
    try:
        text = read_text(project.lock)
    except Unreadable as error:
        if error.kind == MISSING:
            return None
        raise PiscesError(LOCK_BROKEN.at(project.lock, f"the lock {error.message}")) from None
    if mark := _MARKS.search(text):
        line = text.count("\n", 0, mark.start()) + 1
        message = f"`{mark[0].strip()[:60]}` was left by a merge"
        hint = "merge .pisces/packages.toml, take either side of the lock, then run pisces extensions lock"
        raise PiscesError(LOCK_CONFLICT.at(project.lock, message, place=(line, 1), hint=hint))
    return _pins(_parsed(text, project), text, project)


def lock_text(pins: dict[str, Pin], project: Project) -> str:
    """ASCII only, so that a review sees characters that hide or reorder text."""
    packages = [_as_json(pins[name], project) for name in sorted(pins)]
    return json.dumps({"version": VERSION, "packages": packages}, indent=2, ensure_ascii=True) + "\n"


def write_lock(pins: dict[str, Pin], project: Project) -> bool:
    """Writes the file if that changes it."""
    text = lock_text(pins, project)
    if len(text) > MAX_BYTES:
        raise PiscesError(LOCK_BROKEN.at(project.lock, f"the lock would be {len(text):,} bytes, more than can be read"))
    try:
        if read_text(project.lock) == text:
            return False
    except Unreadable as error:
        if error.kind != MISSING:
            raise PiscesError(LOCK_BROKEN.at(project.lock, f"the lock {error.message}")) from None
    try:
        write_atomically(project.lock, text.encode())
    except OSError as error:
        raise PiscesError(disk_fault(error, project.lock, LOCK_BROKEN)) from None
    return True


def _as_json(pin: Pin, project: Project) -> dict[str, object]:
    source = pin.source.replace(location=_portable(pin.source.location, pin.asked, project))
    named = {field: getattr(pin, field) for field in pin.__fields__}
    named.update(asked=pin.asked.as_json(), source=source.as_json())
    named.update(servers=[_server_json(each) for each in pin.servers], files=dict(sorted(pin.files.items())))
    if pin.hash_version == WITHOUT_RUN_BITS:
        del named["hash_version"]
    return {key: value for key, value in named.items() if value != "" or key in _PACKAGE.required}


def _server_json(launch: ServerLaunch) -> dict[str, object]:
    started = {"url": launch.url} if launch.url else {"argv": list(launch.argv)}
    kind = "" if launch.kind == SERVER else launch.kind  # most are servers
    why = {"reason": launch.reason, "hint": launch.hint, "kind": kind}
    return {"name": launch.name, **started, "pinned": launch.pinned, **{key: text for key, text in why.items() if text}}


def _portable(location: str, asked: Requirement, project: Project) -> str:
    """A path that is valid on other machines: relative to the project, or to home if the project file says so."""
    prefix = "file:" if location.startswith("file://") else ""
    path = location.removeprefix(FILE_URL if prefix else "")
    if not os.path.isabs(path) or path in asked.source:
        return location  # a URL, or written like this in the project file
    base, mark = (project.places.home, "~/") if "~" in asked.source else (project.folder, "./")
    try:
        below = os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:  # another drive
        return location
    return prefix + (below if below.startswith("../") else mark + below)


def _absolute(location: str, project: Project) -> str:
    prefix = "file:" if location.startswith(("file:./", "file:../", "file:~/")) else ""
    path = location.removeprefix(prefix)
    if not path.startswith(("./", "../", "~/")):
        return location
    path = project.places.absolute(path)
    return file_url(path) if prefix else path


def _parsed(text: str, project: Project) -> Any:
    value = parsed_json(text, project.lock, LOCK_BROKEN)
    found = value.get("version") if isinstance(value, dict) else None
    if isinstance(found, int) and found != VERSION:
        message = f"the lock is of version {int(found)}, this pisces reads version {VERSION}"
        raise PiscesError(LOCK_BROKEN.at(project.lock, message, hint="use a newer pisces"))
    for misfit in misfits(value, _SHAPE):
        raise _broken(project, text, misfit.path, f"`{_keys(misfit.path)}` {misfit.message}")
    return value


def _pins(value: dict[str, Any], text: str, project: Project) -> dict[str, Pin]:
    pins: dict[str, Pin] = {}
    for number, package in enumerate(value["packages"]):
        for key, message in _faults(package, pins):
            raise _broken(project, text, ("packages", number, key), message)
        try:
            pins[package["name"]] = _pin(package, project)
        except PiscesError as error:
            message = error.diagnostic.message
            raise _broken(project, text, ("packages", number, "source"), message) from None
    return pins


def _faults(package: dict[str, Any], pins: dict[str, Pin]) -> Iterator[tuple[str, str]]:
    if package["name"] in pins:
        yield "name", f"`{package['name']}` is there twice"
    for fault in validate_entries((TreeEntry(name) for name in package["files"]), ""):
        yield "files", fault.message
    if package["source"]["kind"] == ARCHIVE and package.get("commit", "").partition(":")[0] != "sha256":
        yield "commit", "an archive is pinned by its hash"


def _pin(package: dict[str, Any], project: Project) -> Pin:
    """Raises for a source that would be refused on the command line."""
    recorded = package["source"]
    source = source_from_json({**recorded, "location": _absolute(recorded["location"], project)})
    servers = tuple(ServerLaunch(**{**each, "argv": tuple(each.get("argv", ()))}) for each in package["servers"])
    read = {"asked": Requirement(**package["asked"]), "source": source, "servers": servers}
    pin = Pin(**{"commit": "", "tag": "", **package, **read})
    checked(pin.exact)
    return pin


def _broken(project: Project, text: str, path: tuple[str | int, ...], message: str) -> PiscesError:
    hint = "git checkout pisces.lock, or remove it and run pisces extensions lock"
    return PiscesError(LOCK_BROKEN.at(project.lock, message, place=json_place(text, path), hint=hint))


def _keys(path: tuple[str | int, ...]) -> str:
    return ".".join(str(key)[:100] for key in path) or "the file"
