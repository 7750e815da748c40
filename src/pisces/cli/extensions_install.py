"""`pisces extensions install SOURCE`: from anywhere, after consent to exactly what was fetched."""

from __future__ import annotations

from pisces.cli._audit import record_package
from pisces.cli._installer import add_consent, installer_for
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.cli._stores import add_store
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import inventory_at
from pisces.packages.lock.project_file import Requirement, add_to_project, project_here, requirement_for
from pisces.packages.settings.settings import settings_of
from pisces.packages.settings.values import Values
from pisces.packages.store.every_store import store_for
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.shapes.installed import Installed


_SOURCE = "a folder, archive, git address, owner/repo, or NAME@PLACE: a plugin of the marketplace at PLACE"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE)
    parser.add_argument("--ref", default="", help="branch, tag or commit")
    parser.add_argument("--subdir", default="", metavar="FOLDER", help="the package inside a larger repository")
    parser.add_argument("--pre-release", action="store_true", help="take pre-releases too")
    add_store(parser, "the store to put it in; ours without it")
    parser.add_argument("--save", action="store_true", help="also list it in .pisces/packages.toml of this project")
    add_consent(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    source = parse_source(
        arguments.source, places, ref=arguments.ref, subdir=arguments.subdir, pre_release=arguments.pre_release
    )
    store = store_for(arguments.to)
    outcome = store.install(source, installer_for(arguments, places, screen))
    package = outcome.package
    if outcome.changed:
        record_package("installed", package, store, (places, screen))
    if arguments.save:
        _save(package.name, arguments, places)
    if arguments.output_format == "json":
        screen.json({"changed": outcome.changed, "store": store.id, **package.as_json()})
    else:
        did = "installed" if outcome.changed else "is installed already, unchanged:"
        screen.line(f"{did} {visible(package.name)} {visible(package.version)}{store.said} ({package.tree[:19]})")
        _mention_settings(package, places, screen)
    return FINE


def _mention_settings(package: Installed, places: Places, screen: Screen) -> None:
    """A package that waits for an answer says so now, not when its server fails to start."""
    found = inventory_at(package.folder, places, package.name).package
    settings = settings_of(found)[0] if found else []
    known = Values(package.name, places).read(settings).values
    unset = [each.env_var for each in settings if each.env_var not in known]
    if unset:
        screen.note(f"it asks for {visible(', '.join(unset))}: pisces extensions config {package.name} --ask")


def _save(name: str, arguments: Namespace, places: Places) -> None:
    project = project_here(places)
    given = Requirement("", arguments.ref, arguments.subdir, arguments.pre_release)
    add_to_project(project, name, requirement_for(arguments.source, project, places, given))


_EXAMPLES = (
    ("pisces extensions install ./my-extension", "a folder"),
    ("pisces extensions install owner/repo", "a GitHub repository or its release"),
    ("pisces extensions install URL --subdir tools/review", "from a monorepo"),
    ("pisces extensions install review@owner/repo", "a plugin of a marketplace"),
    ("pisces extensions install ./x.zip --accept sha256:...", "without a terminal"),
    ("pisces extensions install ./my-extension --to gemini", "where Gemini CLI finds it"),
    ("pisces extensions install owner/repo --save", "for everybody who works on this project"),
)
_SUMMARY = "install a package from anywhere, after consent to exactly what was fetched"
COMMAND = ShellCommand("extensions install", _SUMMARY, _EXAMPLES, _arguments, _run)
