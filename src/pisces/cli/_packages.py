"""`--package DIR`: loads a package from a folder for this run only. Naming it is the decision to trust it that long."""

from __future__ import annotations

from pisces.cli._switches import switches_for
from pisces.commands.names.catalog import Catalog, catalog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def add_packages(parser: ArgumentParser) -> None:
    meaning = "load this package too, and trust it, for this run (repeatable)"
    parser.add_argument("--package", action="append", metavar="DIR", help=meaning)


def catalog_for(arguments: Namespace, places: Places, screen: Screen) -> Catalog:
    return catalog(places, switches_for(arguments, places, screen), arguments.package or ())
