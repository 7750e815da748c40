"""`pisces extensions info NAME`: where an installed package came from, and everything that it can do."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.cli._stores import add_name
from pisces.diagnostics import PiscesError
from pisces.packages.card import card_of
from pisces.packages.fetching.source import source_from_json
from pisces.packages.install import inventory_at
from pisces.packages.store.every_store import store_with
from pisces.packages.store.tree import tree_of
from pisces.ui.card_text import card_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.shapes.installed import Installed


def _arguments(parser: ArgumentParser) -> None:
    add_name(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    store, name = store_with(arguments.name, arguments.to, places)
    package = store.index(places)[name]
    tree = tree_of(package.folder, left_out=store.beside)
    intact = package.linked or not package.tree or tree.is_recorded(package.tree, package.hash_version)
    card = card_of(inventory_at(package.folder, places, name, package.format), tree, _source(package))
    if arguments.output_format == "json":
        can = [{"kind": line.kind, "text": line.text} for line in card.lines]
        screen.json({**package.as_json(), "store": store.id, "intact": intact, "card": can})
    else:
        screen.lines(card_lines(card, screen))
        screen.line(f"kept in {places.shown(package.folder)}")
        if store.label and not package.tree and not package.linked:
            screen.line(f"installed by {store.label}, without a hash that anybody agreed to")
        if not intact:
            screen.note(f"the files were changed since they were installed: agreed was {package.tree}")
    return FINE if intact else PROBLEMS


def _source(package: Installed) -> str:
    """As the user would type it; what another program noted may not be a source."""
    try:
        return package.folder if package.linked else source_from_json(package.source).as_text()
    except PiscesError:
        return str(package.source.get("location") or "unknown")


_EXAMPLES = (("pisces extensions info review", "its card, with its hash"),)
_SUMMARY = "where an installed package came from, and everything that it can do"
COMMAND = ShellCommand("extensions info", _SUMMARY, _EXAMPLES, _arguments, _run)
