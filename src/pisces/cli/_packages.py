"""`--package DIR`: loads a package from a folder for this run only. Naming it is the decision to trust it that long."""

from __future__ import annotations

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.commands.names.catalog import Catalog


def add_packages(parser: ArgumentParser) -> None:
    meaning = "load this package too, and trust it, for this run (repeatable)"
    parser.add_argument("--package", action="append", metavar="DIR", help=meaning)


def catalog_for(arguments: Namespace, places: Places, screen: Screen) -> Catalog:
    switches = export_of("pisces.cli", "_switches", "switches_for")(arguments, places, screen)
    found: Catalog = export_of("pisces.commands.names", "catalog", "catalog")(places, switches, arguments.package or ())
    return found
