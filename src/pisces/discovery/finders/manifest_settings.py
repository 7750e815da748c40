"""The settings that a package asks its user for, as its manifest lists them."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.package_options import ManifestSettings
from pisces.shapes.settings import PackageSetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[ManifestSettings]) -> Iterator[Found | Diagnostic]:
    package = where.package
    settings = package.manifest.get("settings") if package else None
    if package is None or not isinstance(settings, list):
        return
    path = os.path.join(package.path, where.options.manifest)
    for index, setting in enumerate(settings):
        if isinstance(setting, dict):
            name, env_var, description = (str(setting.get(key) or "") for key in ("name", "envVar", "description"))
            sensitive, keys = bool(setting.get("sensitive")), ("settings", index)
            yield where.found(PackageSetting(name, env_var, description, sensitive, path, setting, keys))
