"""What the enablement file says about the folders: which extensions are off here."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.json_file import object_at


def find(where: Where) -> FinderResults:
    """A broken file is reported where components are looked for; here it says nothing."""
    root = os.path.dirname(where.path)
    for name, entry in object_at(where.path).items():
        folder = os.path.join(root, os.path.basename(name))
        if isinstance(entry, dict) and "!" in str(entry.get("overrides")):
            yield from export_of("pisces.harnesses.gemini", "enabled", "named_by_rules")(folder, entry, where)
