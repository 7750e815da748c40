"""What the lines of one call of `pisces run` share: the commands, one gate, and workers that stay between lines."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from pisces.commands.names.catalog import Catalog
    from pisces.commands.programs.worker import Workers
    from pisces.places import Places
    from pisces.shapes.request import Gate
    from pisces.ui.screen import Screen


class Sitting(Value):
    """`workers` are there where several lines come from stdin, which is then not the programs' to read."""

    arguments: Namespace
    places: Places
    screen: Screen
    commands: Catalog
    gate: Gate
    workers: Workers | None = None
