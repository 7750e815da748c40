"""`pisces extensions update [NAME...]`: one question to each source, then consent with a diff for what changed."""

from __future__ import annotations

from pisces.cli._audit import record_package
from pisces.cli._installer import add_consent, installer_for
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.cli._stores import add_store
from pisces.diagnostics import PiscesError
from pisces.packages.store.every_store import store_with, stores
from pisces.packages.update import AVAILABLE, CURRENT, UP_TO_DATE, compared
from pisces.ui.plain import show_diagnostics
from pisces.ui.progress import with_progress
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.packages.install import Installer
    from pisces.packages.store.acts import Acts
    from pisces.packages.update import UpdateCheck
    from pisces.shapes.installed import Installed


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="a package's name")
    parser.add_argument("--all", action="store_true", help="every installed package")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be updated")
    add_store(parser)
    add_consent(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    if bool(arguments.names) == arguments.all:
        screen.note("pisces: name a package, or say --all")
        return COULD_NOT_RUN
    installer = installer_for(arguments, places, screen)
    chosen = _chosen(arguments, places)
    checked = [
        (store, each)
        for store, packages in chosen
        for each in with_progress(_checks(store, packages, installer, arguments), f"asked{store.said}", screen)
    ]
    states = [
        (store, each, each.state) if arguments.dry_run else (store, *_updated(store, each, installer, screen))
        for store, each in checked
    ]
    if arguments.output_format == "json":
        shown = [
            {"name": each.package.name, "store": store.id, "state": state, "detail": each.detail}
            for store, each, state in states
        ]
        screen.json(shown)
    else:
        rows = [[visible(each.package.name), state, visible(each.detail) + store.said] for store, each, state in states]
        screen.lines(table(rows))
        if not rows:
            screen.note("nothing is installed, so there is nothing to update")
    return PROBLEMS if any(state in ("failed", "refused") for *_, state in states) else FINE


def _checks(
    store: Acts, packages: list[Installed], installer: Installer, arguments: Namespace
) -> Iterator[UpdateCheck]:
    """A dry run compares the content where nothing else tells what changed; an update fetches it anyway."""
    for each in store.check_all(packages, installer):
        quiet = installer.replace(report=lambda _text: None)
        yield compared(each, quiet, store.beside) if arguments.dry_run else each


def _chosen(arguments: Namespace, places: Places) -> list[tuple[Acts, list[Installed]]]:
    """Packages by name, or every one of every store."""
    if arguments.names:
        found = dict.fromkeys(store_with(name, arguments.to, places) for name in arguments.names)
        return [(store, [store.index(places)[name]]) for store, name in found]
    indexes = [(store, store.index(places)) for store in stores(arguments.to)]
    return [(store, [index[name] for name in sorted(index)]) for store, index in indexes]


def _updated(store: Acts, checked: UpdateCheck, installer: Installer, screen: Screen) -> tuple[UpdateCheck, str]:
    """One failing package never stops the others, and never loses the version that is there."""
    if checked.state != AVAILABLE:
        if checked.diagnostic:
            show_diagnostics([checked.diagnostic], installer.places, screen)
        return checked, checked.state
    try:
        package, changed = store.update(checked.package, installer)
    except PiscesError as error:
        show_diagnostics([error.diagnostic], installer.places, screen)
        return checked, "refused" if error.diagnostic.code.startswith("consent-") else "failed"
    if changed:
        record_package("updated", package, store, (installer.places, screen))
    return (checked, "updated") if changed else (checked.replace(detail=UP_TO_DATE), CURRENT)


_EXAMPLES = (
    ("pisces extensions update review", "one"),
    ("pisces extensions update --all --dry-run", "what is there to update"),
    ("pisces extensions update review --accept sha256:...", "without a terminal"),
    ("pisces extensions update --all --accept sha256:... --accept sha256:...", "several, each by its hash"),
)
_SUMMARY = "update packages, after consent to what changed"
COMMAND = ShellCommand("extensions update", _SUMMARY, _EXAMPLES, _arguments, _run)
