"""The record of what became of a package."""

from __future__ import annotations

from pisces.audit.record import ChangedRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.store.acts import Acts
    from pisces.shapes.installed import Installed


def package_record(act: str, package: Installed, store: Acts) -> ChangedRecord:
    """It was installed, updated, linked, rolled back, enabled, disabled or uninstalled."""
    location = package.source.get("location", "")
    source = f"{location} in the store of {store.id}" if location else store.id
    path = "" if act == "uninstalled" else package.folder
    return ChangedRecord(act, "package", package.name, package.version, path, package.tree, source)
