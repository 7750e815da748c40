"""What a plugin of the Copilot CLI starts beside its hooks and MCP servers: language servers."""

from __future__ import annotations

from pisces.discovery.plugin_programs import language_servers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.act import Act
    from pisces.shapes.package import Package


def _acts(package: Package) -> Iterator[Act]:
    return language_servers(package, ".lsp.json", "lsp.json", ".github/lsp.json")


PACKAGE_ACTS = _acts
