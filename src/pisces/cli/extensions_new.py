"""`pisces extensions new PATH TEMPLATE`: a package to start from, one template for each kind of component."""

from __future__ import annotations

import os

from pisces.cli._shell_command import FINE, ShellCommand
from pisces.packages.new import create, template_ids
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="the folder to create")
    parser.add_argument("template", metavar="TEMPLATE", help=f"one of: {', '.join(template_ids())}")
    parser.add_argument("--name", default="", help="the package's name; by default the folder's")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    folder = places.absolute(arguments.path)
    for path in create(folder, arguments.template, arguments.name):
        screen.line(visible(places.shown(os.path.join(folder, path))))
    screen.note(f"next: pisces check {places.shown(folder)}, then pisces extensions link {places.shown(folder)}")
    return FINE


_EXAMPLES = (
    ("pisces extensions new ./review skills", "a package with a skill"),
    ("pisces extensions new ./review full --name review-kit", "one of everything"),
)
COMMAND = ShellCommand("extensions new", "create a package from a template", _EXAMPLES, _arguments, _run)
