"""The options that choose a store of packages, and a scope."""

from __future__ import annotations

from pisces.packages import enable
from pisces.packages.store.acts import harnesses_with_store
from pisces.packages.store.every_store import PISCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser


def add_store(parser: ArgumentParser, meaning: str = "") -> None:
    others = harnesses_with_store()
    labels = ", then ".join(f"{each.label}'s" for each in others)
    meaning = meaning or f"the store to look in; else ours, then {labels}"
    parser.add_argument("--to", choices=(*(each.id for each in others), PISCES), default="", help=meaning)


def add_name(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package's name")
    add_store(parser)


def add_scope(parser: ArgumentParser) -> None:
    scopes = (enable.USER, enable.WORKSPACE)
    parser.add_argument("--scope", choices=scopes, default=enable.USER, help="everywhere, or here and below")
