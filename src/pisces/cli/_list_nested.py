"""`pisces list --recursive`: the packages below this folder at any depth, as in a monorepo, and what each brings.

Nobody has installed them from here, so a state is that of a package which is installed and switched on.
"""

from __future__ import annotations

from pisces.cli._views import Inquiry, Stand, View
from pisces.discovery.capabilities import CAPABILITIES, PACKAGES
from pisces.discovery.found import PROJECT, Candidate, Found, Source
from pisces.discovery.harness import Harness
from pisces.discovery.inventory import Inventory, inventory
from pisces.discovery.package_roots import EVERYWHERE, package_roots
from pisces.discovery.state import ACTIVE, REFUSED
from pisces.ui.plain import counted
from pisces.ui.screen import visible
from pisces.ui.table import path_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Places, Screen
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
    candidates = tuple(_candidate(found, each) for each in inventories for found in _items(kind, each))
    return Stand(kind, candidates, ())


def _items(kind: Capability, each: Inventory) -> tuple[Found, ...]:
    if kind is not PACKAGES or each.package is None:
        return each.found[kind.id]
    source = Source(each.format.id, each.format.label, each.format.manifest_path(each.folder), PROJECT)
    return (Found(each.package, source),)


def _candidate(found: Found, each: Inventory) -> Candidate:
    return Candidate(found, ACTIVE) if each.installs else Candidate(found, REFUSED, _REFUSED)


def show_nested(found: list[Inventory], places: Places, screen: Screen) -> None:
    """A row for each package, whatever its formats."""
    by_folder: dict[str, list[Inventory]] = {}
    for each in found:
        by_folder.setdefault(each.folder, []).append(each)
    rows = [_row(inventories, places) for inventories in by_folder.values()]
    for lines in path_rows(rows, screen.width):
        screen.lines(lines)
    screen.note(f"{counted(len(rows), 'package')} here and below" if rows else "no packages here or below")


def _row(inventories: list[Inventory], places: Places) -> list[str]:
    first = next((each.package for each in inventories if each.package), None)
    names = [each.format.id if each.installs else f"{each.format.id} (refused)" for each in inventories]
    counts = [(kind, max(len(each.found[kind.id]) for each in inventories)) for kind in CAPABILITIES]
    brings = ", ".join(counted(number, kind.singular, kind.plural) for kind, number in counts if number)
    name = str(first.name) if first else places.shown(inventories[0].folder)
    return [visible(name), ", ".join(names), brings, visible(places.shown(inventories[0].folder))]
