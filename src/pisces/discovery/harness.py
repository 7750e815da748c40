"""A harness as a table of contents: for each capability, where it looks, in its own order of precedence.

A `Look` is the options of a finder, which name it, and a place. Finders are loaded by name, and only when their
capability is asked for.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, folders_in
from pisces.discovery.denied import context_denied, left_over, looked_at
from pisces.discovery.found import PROJECT, USER, Found, Source
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Generic, TypeAlias

    from typing_extensions import TypeVar

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Kind
    from pisces.discovery.state import State
    from pisces.places import Places
    from pisces.shapes.package import Package

    Made = TypeVar("Made")
    Options = TypeVar("Options", bound="FinderOptions", default="FinderOptions", covariant=True)
    OtherOptions = TypeVar("OtherOptions", bound="FinderOptions")
    Looks = Mapping[str, Callable[[], tuple["Look", ...]]]
    Find = Callable[["Where[Any]"], "FinderResults"]
else:
    Options, Generic = "", {"": object}  # type checkers alone need `Where[...]`: `typing` is slow to import

HARNESSES = "pisces.harnesses"

# What finders return. Quoted, so that importing it loads neither `typing` nor `collections.abc`.
FinderResults: TypeAlias = "Iterator[Found | Diagnostic]"

_NOT_MADE: Any = object()
_TWICE = os.sep * 2
_HERE = f"{os.sep}.{os.sep}"
_ENDS = (os.sep, f"{os.sep}.")


class FinderOptions(Value):
    """What a look says to its finder. Each finder has a subclass, which names its file and is light to import.

    `FINDER` is loaded by name. `INLINE` is the function there that reads a part of a file that is read already. `NEEDS`
    is a key of a package's manifest without which the finder has nothing to find. `is_deep`: it also looks into the
    folders at its place, so that those which cannot be read matter.
    """

    if TYPE_CHECKING:

        @property
        def FINDER(self) -> str: ...  # noqa: N802  # a constant of each class

    INLINE = ""
    NEEDS = ""

    @property
    def is_deep(self) -> bool:
        return True


class Finder(FinderOptions):
    """A finder that takes no options."""

    FINDER: str


class Look(Value):
    """`at` is `user:…`, `project:…` (below the harness's folder there), `home:…`, `cwd:…`, `package:…`, or empty."""

    options: FinderOptions
    at: str = ""


def project_then_user(options: FinderOptions, inside: str) -> tuple[Look, Look]:
    """The same place below the harness's folders of the project and of the user, in the usual order."""
    return Look(options, f"project:{inside}"), Look(options, f"user:{inside}")


class Harness(Value):
    """All facts about a program that loads extensions, so that no other file has to name it.

    `looks` has a function for each capability, so that a listing makes only those that it needs.
    `user_dir` and `project_dir` are its own folders; `user_dir_variable` can move the first, and `home_variable` all
    that it has below the user's home. `programs` are the names
    that start it, `context_names` the files that are context for it by their name alone. `manifests` are the files
    that make a folder a package for it, `marks` other files and folders that only its packages have. `home_files` are
    files and folders below home, beside `user_dir`, that show that somebody uses it; `own_files` are
    the files and folders of a project, beside `project_dir` and `context_names`, that are made for it. In the kinds of
    `side_by_side`, items of one name do not shadow each other. `states` names
    the file that knows its switches, its folder trust and its approvals; of the kinds in `private_states` it says
    nothing that concerns pisces itself. With `skills_are_commands` a skill is a command
    and a command a skill: the model is told about both, and the body of a skill is expanded like a prompt. `verified`
    says how and when all of this was compared with the program; the kinds of `was_run` by running it, whole
    workspaces or its own loaders, the others as its documents or its source say. Without `is_program` it is a
    convention that many programs follow.
    """

    id: str
    label: str
    priority: int
    looks: Looks
    user_dir: str = "~"
    project_dir: str = "."
    user_dir_variable: str = ""
    home_variable: str = ""
    programs: tuple[str, ...] = ()
    context_names: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    home_files: tuple[str, ...] = ()
    own_files: tuple[str, ...] = ()
    side_by_side: tuple[str, ...] = ()
    states: str = ""
    private_states: tuple[str, ...] = ()
    skills_are_commands: bool = False
    verified: str = ""
    was_run: tuple[str, ...] = ()
    is_program: bool = True

    def user_path(self, places: Places) -> str:
        moved = places.env.get(self.user_dir_variable, "") if self.user_dir_variable else ""
        return self.own_places(places).absolute(moved or self.user_dir)

    def own_places(self, places: Places) -> Places:
        """The places as this harness sees them: a variable may give it another home."""
        moved = places.env.get(self.home_variable, "") if self.home_variable else ""
        return places.replace(home=os.path.normpath(os.path.join(places.cwd, moved))) if moved else places


class Run:
    """What one discovery has already read, so that a manifest asked for by ten capabilities is read once.

    `cuts` are folders that a finder did not read to their end.
    """

    __slots__ = ("_made", "cuts")

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}
        self.cuts: list[str] = []

    def once(self, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
        made: Made = self._made.get(key, _NOT_MADE)  # a key is hashed anew each time that it is asked for
        if made is _NOT_MADE:
            made = self._made[key] = make()
        return made


class Where(Value, Generic[Options]):
    """All that a finder knows: whose item it will be, what is asked for, and the path to look at.

    `held` is why nothing that is found here loads: the package is off, for example.
    """

    places: Places
    run: Run
    capability: str
    harness_id: str
    label: str
    level: str = ""
    path: str = ""
    options: Options = FinderOptions()  # type: ignore[assignment]  # for finders that take none
    package: Package | None = None
    harness: Harness | None = None
    held: State | None = None

    def given(self, options: OtherOptions, path: str) -> Where[OtherOptions]:
        """The same for another finder, at another path."""
        return self.replace(options=options, path=path)  # type: ignore[return-value]  # `replace` keeps the type

    def found(self, item: Kind, path: str = "") -> Found[Kind]:
        path = path or item.path
        source = Source(self.harness_id, self.label, path if _is_plain(path) else os.path.abspath(path), self.level)
        package = self.package
        if package is None:
            return Found(item, source, "", self.held)
        return Found(item, source, str(package.name), self.held, package.path, package.format)


def finder_named(name: str, export: str = "find") -> Any:
    """What a finder's file exports: `find`, or the function that reads a part of a file."""
    package, _, file = name.rpartition(".")
    return export_of(package, file, export)


def passed_on(where: Where, then: FinderOptions, path: str) -> FinderResults:
    """What another finder finds at a path. It is not loaded where there is nothing, as in `search`."""
    is_there, problems = looked_at(path, where.run, below=True)
    yield from problems
    if is_there:
        find: Find = finder_named(then.FINDER)
        yield from find(where.given(then, path))


def search(harness: Harness, capability: str, places: Places, run: Run) -> FinderResults:
    """Everything that this harness would load for a capability, best first.

    Where there is nothing at the place of a look, its finder is not even loaded.
    """
    seen: dict[str, list[FinderOptions]] = {}
    places = harness.own_places(places)
    for look in harness.looks[capability]() if capability in harness.looks else ():
        options, finder = look.options, look.options.FINDER
        level, path = _resolved(harness, look.at, places)
        is_there = not look.at
        if look.at:
            others = seen.setdefault(path, [])
            if options in others:  # the same folder twice: the project is home itself
                continue
            others.append(options)
            below = capability != "packages" and not look.at.endswith(":") and options.is_deep
            is_there, problems = looked_at(path, run, below=below)
            yield from problems
        if is_there:
            where = Where(places, run, capability, harness.id, harness.label, level, path, options, None, harness)
            found = finder_named(finder)(where)
            yield from _tried(found) if capability == "context-files" else found
            yield from left_over(run.cuts)


def looked_places(harness: Harness, places: Places) -> set[str]:
    """Every path at which this harness looks for something, whether anything is there or not."""
    places = harness.own_places(places)
    looks = [
        look for made in harness.looks.values() for look in made() if look.at and not look.at.startswith("package:")
    ]
    return {_resolved(harness, look.at, places)[1] for look in looks}


def _tried(results: FinderResults) -> FinderResults:
    for found in results:
        yield found
        if isinstance(found, Found):
            yield from context_denied(found.item.path)


def _is_plain(path: str) -> bool:
    """Absolute and normal already, as nearly all are: a quick look spares each a slow one."""
    rooted = path.startswith(os.sep) and _TWICE not in path and ".." not in path
    return rooted and _HERE not in path and not path.endswith(_ENDS)


def all_harnesses() -> list[Harness]:
    """Every harness that has a file here, highest priority first; among equals, by name."""
    found: list[Harness] = [export_of(HARNESSES, name, "HARNESS") for name in folders_in(HARNESSES)]
    return sorted(found, key=lambda harness: -harness.priority)


def _resolved(harness: Harness, at: str, places: Places) -> tuple[str, str]:
    base, _, rest = at.partition(":")
    if base == "user":
        return USER, os.path.join(harness.user_path(places), rest) if rest else harness.user_path(places)
    if base == "home":
        return USER, os.path.join(places.home, rest)
    folder = places.absolute(harness.project_dir) if base == "project" else places.cwd
    return PROJECT, os.path.join(folder, rest) if rest else folder
