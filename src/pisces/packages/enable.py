"""Where a package is enabled: Gemini's rules, with a user scope that covers all folders.

A rule is a folder with a trailing `*`, and a leading `!` to disable. The last rule that matches decides.
"""

from __future__ import annotations

from pisces.packages.store.store import write_index, writing
from pisces.packages.uninstall import owned_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.install import Installer
    from pisces.shapes.installed import Installed

USER = "user"
WORKSPACE = "workspace"
EVERYWHERE = "/*"


def enable(name: str, scope: str, installer: Installer) -> Installed:
    return _set(name, "", scope, installer)


def disable(name: str, scope: str, installer: Installer) -> Installed:
    return _set(name, "!", scope, installer)


def rules_after(overrides: tuple[str, ...], rule: str) -> tuple[str, ...]:
    """A new rule replaces those for the same folder and for every folder below it."""
    base = rule.removeprefix("!").removesuffix("*")
    return (*(each for each in overrides if not each.removeprefix("!").removesuffix("*").startswith(base)), rule)


def _set(name: str, mark: str, scope: str, installer: Installer) -> Installed:
    where = EVERYWHERE if scope == USER else folder_rule(installer.places.cwd)
    with writing(installer.store, installer.report) as index:
        package = index[owned_name(name, index)]
        index[package.name] = package.replace(overrides=rules_after(package.overrides, mark + where))
        write_index(installer.store, index)
        return index[package.name]


def folder_rule(folder: str) -> str:
    inside = folder.replace("\\", "/").strip("/")
    return f"/{inside}/*" if inside else EVERYWHERE
