"""Where an act applies: for the user everywhere, or in this folder and below."""

from __future__ import annotations

from pisces.packages.enable import USER, WORKSPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Places


def add_scope(parser: ArgumentParser) -> None:
    parser.add_argument("--scope", choices=(USER, WORKSPACE), default=USER, help="everywhere, or here and below")


def scope_text(scope: str, places: Places) -> str:
    return "everywhere" if scope == USER else f"in {places.shown(places.cwd)} and below"
