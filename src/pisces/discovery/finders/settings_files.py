"""A harness's settings file as a whole, every value as found."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import ConfigFile, read_object
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import SettingsFiles
from pisces.shapes.settings import SettingsFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[SettingsFiles]) -> Iterator[Found | Diagnostic]:
    return read_object(where.path, where.options.syntax, where.run, lambda file: _settings(file, where))


def _settings(file: ConfigFile, where: Where[SettingsFiles]) -> Iterator[Found]:
    yield where.found(SettingsFile(file.path, file.value))
