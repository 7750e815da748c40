"""Uninstall and rollback. Each commits one new index, so a crash leaves the old state or the new one."""

from __future__ import annotations

from difflib import get_close_matches

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.packages.install import is_intact
from pisces.packages.settings.values import Values, renamed_values
from pisces.packages.store.store import sweep, write_index, writing
from pisces.shapes.installed import Installed, installed_from_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.packages.install import Installer

NOT_INSTALLED = Rule("not-installed", ERROR, "No package of that name is installed")
NO_OTHER_VERSION = Rule("no-other-version", ERROR, "There is no earlier version to go back to")


def uninstall(name: str, installer: Installer) -> Installed:
    """Removes the package from the index, then its trees, settings and secrets. A linked folder stays."""
    with writing(installer.store, installer.report) as index:
        gone = index.pop(owned_name(name, index))
        write_index(installer.store, index)
        sweep(installer.store, index)
        for problem in Values(gone.name, installer.places).forget():
            installer.report(problem.message)
    return gone


def rollback(name: str, installer: Installer) -> Installed:
    """Restores the version before the last update. The newer one becomes the previous version."""
    with writing(installer.store, installer.report) as index:
        now = index[owned_name(name, index)]
        before = installed_from_json(now.previous) if now.previous else None
        if before is None:
            raise PiscesError(NO_OTHER_VERSION.at("", f"`{now.name}` has no earlier version here"))
        _refuse_unlike(before, now, index)
        with renamed_values(now.name, before.name, installer.places, installer.report):
            del index[now.name]
            index[before.name] = before.replace(overrides=now.overrides, previous=now.replace(previous=None).as_json())
            write_index(installer.store, index)
    return index[before.name]


def _refuse_unlike(before: Installed, now: Installed, index: Mapping[str, Installed]) -> None:
    """Going back asks nobody, so it is only to the files that were agreed to, and over nobody else's name."""
    if before.name != now.name and before.name in index:
        message = f"`{now.name}` was called `{before.name}` before, and another package has that name now"
        raise PiscesError(NO_OTHER_VERSION.at("", message))
    if not before.linked and not is_intact(before):
        message = f"the files of `{before.name}` {before.version} were changed since they were agreed to"
        raise PiscesError(NO_OTHER_VERSION.at(before.folder, message, hint="install that version again"))


def owned_name(name: str, index: Mapping[str, Installed]) -> str:
    """The package with this name or source. Raises with a suggestion if there is none."""
    if name in index:
        return name
    for each in index.values():
        if name and name == each.source.get("location"):
            return each.name
    near = get_close_matches(name, list(index), n=1, cutoff=0.6)
    hint = f"did you mean `{near[0]}`?" if near else "pisces extensions list shows what is installed"
    raise PiscesError(NOT_INSTALLED.at("", f"no package called `{name}` is installed", hint=hint))
