"""An Antigravity plugin: `plugin.json` at the root, components at fixed places. Its commands become skills.

Other tools use a root `plugin.json` too, so outside a folder of plugins only `mcp_config.json` beside it tells.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat
from pisces.harnesses.antigravity import AGENTS, HOOKS, MANIFEST, SERVERS, SKILLS


def _fits(folder: str) -> bool:
    return all(os.path.lexists(os.path.join(folder, name)) for name in (MANIFEST, "mcp_config.json"))


FORMAT = PackageFormat(
    id="antigravity-plugin",
    label="Antigravity plugin",
    manifest=MANIFEST,
    rank=56,
    harness="antigravity",
    looks={
        "skills": lambda: (Look(SKILLS, "package:skills"),),
        "subagents": lambda: (Look(AGENTS, "package:agents"),),
        "mcp-servers": lambda: (Look(SERVERS, "package:mcp_config.json"),),
        "hooks": lambda: (Look(HOOKS, "package:hooks.json"),),
    },
    fits_folder=_fits,
)
