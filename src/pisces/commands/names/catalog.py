"""All commands of a workspace with their names.

A command is listed under the name that it has in its own harness, wherever that name is free, so that every listing
calls it the same. Shorter names work too.
The user's own commands come first and never lose their name to a package. Among packages Gemini's rule applies: a name
that two of them use belongs to neither. Every command has one qualified name that always works: `package:name`, or
`harness:name` for a loose file.
"""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import COMMANDS
from pisces.discovery.found import Found
from pisces.discovery.harness import Run
from pisces.discovery.named_packages import named_packages
from pisces.discovery.package_format import SKILL_COMMANDS
from pisces.discovery.registry import Switches, discover
from pisces.discovery.state import ACTIVE, SHADOWED
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from pisces.discovery.found import Source
    from pisces.places import Places
    from pisces.shapes.command import Command


class CatalogEntry(Value):
    """`name` is what listings call the command, `qualified` the name that always works.

    `named` is set if the user named the package for this run, which means trust.
    """

    name: str
    qualified: str
    command: Command
    source: Source
    package: str = ""
    named: bool = False

    @property
    def calls_model(self) -> bool:
        return self.command.executable is None

    @property
    def origin(self) -> str:
        """The package, or the harness and level."""
        return self.package or f"{self.source.label}, {self.source.level}"


class Catalog(Value):
    """`names` has every name that works. `contested` has names of several packages, which belong to none."""

    entries: tuple[CatalogEntry, ...]
    names: Mapping[str, CatalogEntry]
    contested: Mapping[str, tuple[CatalogEntry, ...]]
    diagnostics: tuple[Diagnostic, ...]


def catalog(places: Places, switches: Switches | None = None, folders: Sequence[str] = ()) -> Catalog:
    """The commands found here, and those of the packages in `folders`, which replace installed ones of that name."""
    named, diagnostics = _in_folders(folders, places)
    replaced = {found.package for found in named}
    discovered = discover(COMMANDS, places, switches or Switches())
    found = [each.found for each in discovered.all if each.state in (ACTIVE, SHADOWED)]
    others = [each for each in found if each.package not in replaced or not each.package]
    return catalog_of(named, others, (*diagnostics, *discovered.diagnostics))


def catalog_of(
    named: Sequence[Found[Command]], found: Sequence[Found[Command]], diagnostics: tuple[Diagnostic, ...] = ()
) -> Catalog:
    """Names for what the user named for this run and for what was found, best first.

    A loose file that several harnesses read is one command, of the first of them.
    """
    own = list(_once([each for each in found if not each.package], lambda each: each.item.path))
    packaged = list(_once([each for each in found if each.package], _name_in_package))
    named = list(_once(named, _name_in_package))
    bare: dict[str, Found[Command]] = {}
    contested: dict[str, list[Found[Command]]] = {}
    for each in (*own, *named):
        bare.setdefault(each.item.name, each)
    for each in packaged:
        contested.setdefault(each.item.name, []).append(each)
    for name, wanting in contested.items():
        if len(wanting) == 1:
            bare.setdefault(name, wanting[0])
    several = {name: wanting for name, wanting in contested.items() if name not in bare}
    every = [*own, *named, *packaged]
    entries = _entries(every, bare, several, {id(each) for each in named})
    made = {id(each): entry for each, entry in zip(every, entries, strict=True)}
    names = _names({name: made[id(each)] for name, each in bare.items()}, entries, several)
    by_found = {(entry.package, entry.command.name): entry for entry in reversed(entries)}
    shared = {name: tuple(by_found[each.package, name] for each in wanting) for name, wanting in several.items()}
    return Catalog(tuple(entries), names, shared, diagnostics)


def _entries(
    found: Sequence[Found[Command]],
    bare: Mapping[str, Found[Command]],
    contested: Container[str],
    named: set[int],
) -> list[CatalogEntry]:
    taken, listed = set(bare), set()
    made: list[CatalogEntry] = []
    for each in found:
        qualified, final = _free(_qualified(each, taken), taken), each.item.final_name
        taken.add(qualified)
        name = each.item.name if bare.get(each.item.name) is each else qualified
        if final not in listed and final not in contested and bare.get(final, each) is each:
            name = final
        listed.add(name)
        made.append(CatalogEntry(name, qualified, each.item, each.source, each.package, id(each) in named))
    return made


def _names(
    short: Mapping[str, CatalogEntry], entries: Sequence[CatalogEntry], contested: Container[str]
) -> dict[str, CatalogEntry]:
    """Short names before those in listings and qualified ones, then the names in the commands' own harnesses."""
    names = dict(short)
    for field in ("name", "qualified"):
        for entry in entries:
            names.setdefault(getattr(entry, field), entry)
    for entry in entries:
        if entry.command.final_name not in contested:
            names.setdefault(entry.command.final_name, entry)
    return names


def _qualified(found: Found[Command], taken: set[str]) -> str:
    if found.package:
        return f"{found.package}:{found.item.name}"
    plain = f"{found.source.harness}:{found.item.name}"
    return plain if plain not in taken else f"{found.source.harness}.{found.source.level}:{found.item.name}"


def _free(name: str, taken: set[str]) -> str:
    free, number = name, 0
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def _once(found: Iterable[Found[Command]], key: Callable[[Found[Command]], object]) -> Iterator[Found[Command]]:
    """What several harnesses load is there once; the first one counts."""
    seen = set()
    for each in found:
        if key(each) not in seen:
            seen.add(key(each))
            yield each


def _name_in_package(found: Found[Command]) -> tuple[str, str]:
    return found.package, found.item.name


def _in_folders(folders: Sequence[str], places: Places) -> tuple[list[Found[Command]], list[Diagnostic]]:
    named = named_packages(folders, places)
    commands: list[Found[Command]] = []
    diagnostics = list(named.diagnostics)
    for kind in (COMMANDS.id, SKILL_COMMANDS):
        found, problems = named.found(kind, places, Run())
        commands += found
        diagnostics += problems
    return commands, diagnostics
