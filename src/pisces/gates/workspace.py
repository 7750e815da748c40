"""What a project would run, each with its files: modules, hooks, servers, programs, switches, values for packages.

This is what trust of a workspace covers. A path is relative to the workspace where it lies in it. Nothing is run.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.containment import stays_inside
from pisces.discovery.found import PROJECT
from pisces.discovery.pins import TooManyFiles, content_and_run_bit, digest_of, folder_pin, pin_of, pins_below
from pisces.files import Unreadable, read_text
from pisces.gates.content import text_hash
from pisces.gates.named_files import files_named, folders_searched
from pisces.gates.reach import NODE_MODULES, Reached, reached, scripts_in
from pisces.modules.entry import RUNS
from pisces.shapes.act import HOOK, MODULE, PROGRAM, SERVER
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.modules.entry import ModuleEntries, ModuleEntry
    from pisces.places import Places
    from pisces.shapes.act import Act
    from pisces.shapes.request import HookRequest, ServerRequest

SWITCH = "switch"  # a setting of the project that turns off what the user has
SETTINGS = "settings"  # values that the project brings for a package of the user: an address, for one
_SHORT = 32
_MOST_COMPARED = 2_000
_RUNS = (HOOK, SERVER, PROGRAM)
_LEFT_OUT = (".git", NODE_MODULES)
_BYTECODE = "__pycache__"


class Covered(Value):
    """One thing that would run. `name` and `text` say what it is; `pins` are the files, each by its path."""

    kind: str
    name: str
    text: str
    pins: Mapping[str, str]

    @property
    def stored(self) -> Mapping[str, str]:
        """The pins, or one for all of them where there are more than anybody compares."""
        return self.pins if len(self.pins) <= _MOST_COMPARED else {f"{len(self.pins):,} files": digest_of(self.pins)}

    @property
    def id(self) -> str:
        """The text by its hash: a command line may have a secret in it, and this is stored."""
        return f"{self.kind} {self.name} {text_hash(self.text)[:_SHORT]}"


def covered_module(entry: ModuleEntry, places: Places) -> Covered:
    """A module in a folder of its own has all files of it; any other has what it imports."""
    if entry.folder:
        pins = _folder_pins(entry, places)
    else:
        pins = _pins(reached([entry.path], places.cwd, is_checked=True), places)
    return Covered(MODULE, _key(entry.path, places), entry.origin, pins)


def covered_line(kind: str, name: str, line: str, path: str, places: Places) -> Covered:
    """A command line in a settings file, with that file and the files of the project that the line names.

    The whole settings file: beside the line it has variables, a folder to work in, and conditions.
    """
    named = files_named(line, path, places.cwd)
    found = reached([each for each in named if stays_inside(each, places.cwd)], places.cwd)
    folders = found.folders.union(folders_searched(line, path, places.cwd))
    pins = _pins(found.replace(files=found.files | {path, *named}, folders=folders), places)
    return Covered(kind, f"{name} in {_key(path, places)}", line, pins)


def borrowed_by_line(line: str, path: str, folder: str, places: Places) -> list[str]:
    """Files of the workspace that a line names which the workspace did not bring: of the user, or of a package.

    `path` is the file that has the line, `folder` is where its own files are. In the user's home all files are theirs.
    """
    if stays_inside(places.home, places.cwd):
        return []
    named = [*files_named(line, path, places.cwd), *folders_searched(line, path, places.cwd)]
    return [each for each in named if stays_inside(each, places.cwd) and not stays_inside(each, folder)]


def covered_request(request: HookRequest | ServerRequest, places: Places) -> Covered:
    name = getattr(request, "event", "") or getattr(request, "name", "")
    return covered_line(request.KIND, name, getattr(request, "written", "") or request.exact, request.path, places)


def covered_server(request: ServerRequest, places: Places) -> list[Covered]:
    """The server, and the program that makes its headers, under the names that `discovery/server_acts.py` has."""
    helper = [covered_line(PROGRAM, "headersHelper", request.helper, request.path, places)] if request.helper else []
    return [covered_request(request, places), *helper]


def covered_switch(entry: ModuleEntry) -> Covered:
    return Covered(SWITCH, entry.name, "disabledExtensions", {})


def covered_settings(path: str, places: Places) -> Covered:
    """A file with values for a package, as text: each value is what somebody agrees to."""
    try:
        text = read_text(path)
    except Unreadable as error:
        text = error.message
    return Covered(SETTINGS, _key(path, places), text, {_key(path, places): pin_of(path)})


def _settings_files(places: Places) -> list[str]:
    folder = os.path.join(places.cwd, *export_of("pisces.packages.settings", "records", "SETTINGS_FOLDER"))
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".env")]
    except OSError:
        return []


def covered_here(entries: ModuleEntries, acts: Iterable[Act], places: Places) -> tuple[Covered, ...]:
    """Everything of a project that trust is asked for: what its modules are, and what its settings start."""
    found = [covered_module(each, places) for each in entries.entries if each.needs_trust and each.state == RUNS]
    found += [covered_switch(each) for each in entries.entries if each.off_by == PROJECT and not each.needs_trust]
    lines = [each for each in acts if each.kind in _RUNS]
    found += [covered_line(each.kind, each.name, each.text, each.path, places) for each in lines]
    found += [covered_settings(each, places) for each in _settings_files(places)]
    return tuple({each.id: each for each in found}.values())


def absolute_pins(pins: Mapping[str, str], places: Places) -> dict[str, str]:
    """By the path as it is written, and by the one without links."""
    written = {os.path.normpath(os.path.join(places.cwd, name)): pin for name, pin in pins.items()}
    return {**{os.path.realpath(path): pin for path, pin in written.items()}, **written}


def _folder_pins(entry: ModuleEntry, places: Places) -> dict[str, str]:
    """Node modules of its own are one pin: nobody reads a list of thousands. Bytecode beside Python is never loaded."""
    left_out = {*_LEFT_OUT, *((_BYTECODE,) if entry.is_python else ())}
    try:
        below = pins_below(entry.folder, lambda name: name.rpartition("/")[2] in left_out, content_and_run_bit)
    except TooManyFiles as error:
        return {_key(entry.folder, places): _unequalled(error)}
    pins = {_key(os.path.join(entry.folder, name), places): pin for name, pin in below.items()}
    outside = reached(scripts_in(entry.folder) or [entry.path], places.cwd, is_checked=True)
    own = os.path.join(entry.folder, NODE_MODULES)
    packages = {each for each in outside.packages if not each.startswith(own + os.sep)}
    folders = frozenset([own]) if os.path.isdir(own) else frozenset[str]()
    return {**_pins(Reached(outside.files, folders, frozenset(packages)), places), **pins}


def _pins(found: Reached, places: Places) -> dict[str, str]:
    pins = {_key(path, places): pin_of(path) for path in found.files}
    for folder in found.folders | found.packages:
        pins[_key(folder, places)] = _folder_pin(folder)
    return pins


def _folder_pin(folder: str) -> str:
    try:
        return folder_pin(folder)
    except TooManyFiles as error:
        return _unequalled(error)


def _unequalled(error: TooManyFiles) -> str:
    """What is too large to be covered has a pin that nothing equals, so it is never trusted."""
    return f"{error}: {os.urandom(16).hex()}"


def _key(path: str, places: Places) -> str:
    inside = places.cwd.rstrip(os.sep) + os.sep
    return (path[len(inside) :] if path.startswith(inside) else path).replace(os.sep, "/")
