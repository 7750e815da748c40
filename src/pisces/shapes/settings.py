"""Settings: a harness's own settings file, and the settings that a package asks its user for."""

from __future__ import annotations

from pisces.shapes.field import Flag, Keys, Number, Text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class SettingsFile(Value):
    """`values` is the whole file, parsed."""

    path: str
    values: Any

    @property
    def fields(self) -> Mapping[str, Any]:
        return self.values if isinstance(self.values, dict) else {}


class PackageSetting(Value):
    """`env_var` carries the value to hooks and servers; a sensitive one belongs into the keyring.

    `fields` is the setting as found, `keys` lead to it in the manifest.
    """

    name: str
    env_var: str
    description: str
    sensitive: bool
    path: str
    fields: Mapping[str, Any]
    keys: Keys

    type = Text("type")
    required = Flag("required")
    multiple = Flag("multiple")
    minimum = Number("min")
    maximum = Number("max")

    @property
    def default(self) -> Any:
        """The value where the user gives none; None where there is none."""
        return self.fields.get("default")
