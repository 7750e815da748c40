"""The audit log of one call of the shell. That it cannot be written is said once, and the command goes on."""

from __future__ import annotations

from pisces.audit.package_record import package_record
from pisces.audit.place import audit_log
from pisces.audit.record import OffRecord
from pisces.discovery.safe_mode import WHO, refuse_in_safe_mode
from pisces.ui.plain import show_diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.audit.log import AuditLog
    from pisces.cli._shell_command import Places, Screen
    from pisces.packages.store.acts import Acts
    from pisces.shapes.installed import Installed


def audit_of(places: Places, screen: Screen) -> AuditLog:
    return audit_log(places, lambda problem: show_diagnostics([problem], places, screen))


def refuse_if_safe(kind: str, name: str, places: Places, screen: Screen) -> None:
    """Raises `PiscesError` while safe mode is on, and records what was not run."""
    if places.is_safe:
        audit_of(places, screen).write(OffRecord(kind, name, WHO))
        refuse_in_safe_mode(places, f"`{name}`")


def record_package(act: str, package: Installed, store: Acts, where: tuple[Places, Screen]) -> None:
    """A package was installed, updated, linked, rolled back, switched or uninstalled."""
    audit_of(*where).write(package_record(act, package, store))
