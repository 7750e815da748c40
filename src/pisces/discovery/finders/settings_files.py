"""A harness's settings file as a whole, every value kept as found."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import config_at
from pisces.shapes.settings import SettingsFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.discovery.options import SettingsFiles


def find(where: Where[SettingsFiles]) -> Iterator[Found | Diagnostic]:
    file = config_at(where.path, where.options.syntax, where.run)
    if isinstance(file, Diagnostic):
        yield file
    elif file is not None and not isinstance(file.value, dict):
        yield file.not_object()
    elif file is not None:
        yield where.found(SettingsFile(file.path, file.value))
