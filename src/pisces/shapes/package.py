"""A package: an installable folder with a manifest. Users call it an extension."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Package(Value):
    """`name` and `manifest` are as found: discovery enforces no types (`check` does)."""

    name: Any
    path: str
    manifest: Any
    format: str

    @property
    def fields(self) -> Mapping[str, Any]:
        return self.manifest if isinstance(self.manifest, dict) else {}

    @property
    def version(self) -> str:
        version = self.fields.get("version")
        return "" if version is None else str(version)
