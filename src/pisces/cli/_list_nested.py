"""`pisces list --recursive`: the packages below this folder at any depth, as in a monorepo, and what each brings.

Nobody has installed them from here, so a state is that of a package which is installed and switched on.
"""

from __future__ import annotations

from pisces.cli._views import Inquiry, Stand, View, with_rejected
from pisces.discovery.capabilities import CAPABILITIES, PACKAGES
from pisces.discovery.found import PROJECT, Candidate, Found, Source
from pisces.discovery.harness import Harness
from pisces.discovery.inventory import Inventory, inventory
from pisces.discovery.package_roots import EVERYWHERE, package_roots
from pisces.discovery.state import ACTIVE, INVALID, REFUSED
from pisces.ui.plain import counted
from pisces.ui.screen import visible
from pisces.ui.states_text import reason_lines
from pisces.ui.table import path_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.discovery.capability import Capability

_REFUSED = "the package that it is part of is refused"


def nested(places: Places) -> list[Inventory]:
    """An inventory for each package and each of its formats."""
    roots = package_roots(places.cwd, EVERYWHERE)
    return [inventory(root.folder, each, places) for root in roots for each in root.formats]


def nested_views(found: list[Inventory], survey: Inquiry) -> list[View]:
    """By harness: what it would load of these packages."""
    by_harness: dict[str, list[Inventory]] = {}
    for each in found:
        if survey.switches.wants(each.format.harness):
            by_harness.setdefault(each.format.harness, []).append(each)
    return [
        View(
            Harness(harness, inventories[0].format.label, 0, {}),
            is_set_up=False,
            stands=tuple(_stand(kind, inventories) for kind in survey.kinds),
        )
        for harness, inventories in by_harness.items()
    ]


def _stand(kind: Capability, inventories: list[Inventory]) -> Stand:
    return Stand(kind, tuple(candidate for each in inventories for candidate in _candidates(kind, each)), ())


def _candidates(kind: Capability, each: Inventory) -> tuple[Candidate, ...]:
    """What a package has of a kind, then what its harness rejects."""
    found = tuple(_candidate(item, each) for item in _items(kind, each))
    return with_rejected(found, each.rejected[kind.id], kind, Harness(each.format.harness, each.format.label, 0, {}))


def _items(kind: Capability, each: Inventory) -> tuple[Found, ...]:
    if kind is not PACKAGES or each.package is None:
        return each.found[kind.id]
    source = Source(each.format.id, each.format.label, each.format.manifest_path(each.folder), PROJECT)
    return (Found(each.package, source),)


def _candidate(found: Found, each: Inventory) -> Candidate:
    return Candidate(found, ACTIVE) if each.installs else Candidate(found, REFUSED, _REFUSED)


def show_nested(found: list[Inventory], arguments: Namespace, places: Places, screen: Screen) -> None:
    """A row for each package, whatever its formats; with `--all` what is rejected of it."""
    by_folder: dict[str, list[Inventory]] = {}
    for each in found:
        by_folder.setdefault(each.folder, []).append(each)
    rows = [_row(inventories, places) for inventories in by_folder.values()]
    invalid = [list(_invalid(inventories)) for inventories in by_folder.values()]
    for lost, lines in zip(invalid, path_rows(rows, screen.width), strict=True):
        screen.lines(lines)
        for what, candidate in lost if arguments.all else ():
            screen.lines(reason_lines(candidate, "    ", places, screen, f"{what}: "))
    more = 0 if arguments.all else sum(map(len, invalid))
    if more:
        screen.note(f"{counted(more, 'item')} more {'does' if more == 1 else 'do'} not load: --all says why")
    screen.note(f"{counted(len(rows), 'package')} here and below" if rows else "no packages here or below")


def _invalid(inventories: list[Inventory]) -> Iterator[tuple[str, Candidate]]:
    for kind in CAPABILITIES:
        lost = (each for each in _stand(kind, inventories).candidates if each.state == INVALID)
        yield from ((f"{kind.singular} {visible(each.found.item.name)}", each) for each in lost)


def _row(inventories: list[Inventory], places: Places) -> list[str]:
    first = next((each.package for each in inventories if each.package), None)
    names = [each.format.id if each.installs else f"{each.format.id} (refused)" for each in inventories]
    counts = [(kind, max(len(each.found[kind.id]) for each in inventories)) for kind in CAPABILITIES]
    brings = ", ".join(counted(number, kind.singular, kind.plural) for kind, number in counts if number)
    name = str(first.name) if first else places.shown(inventories[0].folder)
    return [visible(name), ", ".join(names), brings, visible(places.shown(inventories[0].folder))]
