"""`pisces extensions info NAME`: where an installed package came from, and everything that it can do."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.packages.card import card_of
from pisces.packages.install import inventory_at
from pisces.packages.source import source_from_json
from pisces.packages.store import own_store, read_index
from pisces.packages.tree import tree_of
from pisces.packages.uninstall import owned_name
from pisces.ui.card_text import card_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pisces.places import Places
    from pisces.ui.screen import Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package's name")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    index = read_index(own_store(places))
    package = index[owned_name(arguments.name, index)]
    tree = tree_of(package.folder)
    intact = package.linked or tree.hash == package.tree
    source = package.folder if package.linked else source_from_json(package.source).as_text()
    card = card_of(inventory_at(package.folder, places, package.name), tree, source)
    if arguments.output_format == "json":
        from pisces.ui.json_text import json_text

        can = [{"kind": line.kind, "text": line.text} for line in card.lines]
        screen.line(json_text({**package.as_json(), "intact": intact, "card": can}))
    else:
        for line in card_lines(card, screen, most=10**9):
            screen.line(line)
        screen.line(f"kept in {places.shown(package.folder)}")
        if not intact:
            screen.note(f"the files were changed since they were installed: agreed was {package.tree}")
    return FINE if intact else PROBLEMS


COMMAND = ShellCommand(
    "extensions info",
    "where an installed package came from, and everything that it can do",
    (("pisces extensions info review", "its card, with its hash"),),
    _arguments,
    _run,
)
