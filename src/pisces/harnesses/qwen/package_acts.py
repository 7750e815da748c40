"""What a Qwen Code extension starts beside its hooks and MCP servers: language servers and channels.

A channel is a module that connects the agent with a messenger. Facts: type declarations of its packages, 2026.
"""

from __future__ import annotations

from pisces.discovery.plugin_programs import inside, language_servers
from pisces.shapes.act import MODULE, Act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.package import Package


def _acts(package: Package) -> Iterator[Act]:
    yield from language_servers(package, ".lsp.json")
    channels = package.fields.get("channels")
    for name, config in channels.items() if isinstance(channels, dict) else ():
        entry = config.get("entry") if isinstance(config, dict) else None
        if isinstance(entry, str) and entry:
            path = inside(package, entry)
            yield Act(MODULE, f"channel {name}", path or entry, "when the channel is started", path or package.path)


PACKAGE_ACTS = _acts
