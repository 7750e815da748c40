"""What a Gemini CLI extension reaches beside its parts: the place that it says it has moved to."""

from __future__ import annotations

from pisces.discovery.addresses import hosts_in
from pisces.discovery.plugin_programs import manifest_of
from pisces.shapes.act import SOURCE, Act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.package import Package


def _acts(package: Package) -> Iterator[Act]:
    moved = package.fields.get("migratedTo")
    if isinstance(moved, str) and moved:
        when, keys = "updates come from there", ("migratedTo",)
        yield Act(SOURCE, "migratedTo", moved, when, manifest_of(package), keys, hosts=hosts_in(moved))


PACKAGE_ACTS = _acts
