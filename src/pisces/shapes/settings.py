"""Settings: a harness's own settings file, and the settings that a package asks its user for."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class SettingsFile(Value):
    path: str
    values: Any


class PackageSetting(Value):
    """`env_var` carries the value to hooks and servers; a sensitive one belongs into the keyring."""

    name: str
    env_var: str
    description: str
    sensitive: bool
    path: str
