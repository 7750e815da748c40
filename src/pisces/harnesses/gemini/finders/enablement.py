"""What the enablement file adds to the folders: extensions that are linked, and those that are off here.

Gemini CLI writes a rule for everything that it installs or links, so a folder without a manifest may be a link.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.json_file import object_at
from pisces.harnesses.gemini import MANIFEST

_MANIFEST = os.sep + MANIFEST


def find(where: Where) -> FinderResults:
    """A broken file is reported where components are looked for; here it says nothing."""
    root = os.path.dirname(where.path)
    for name, entry in object_at(where.path).items():
        folder = os.path.join(root, os.path.basename(name))
        loose = not os.path.lexists(folder + _MANIFEST) and os.path.isdir(folder)
        if loose or (isinstance(entry, dict) and "!" in str(entry.get("overrides"))):
            yield from export_of("pisces.harnesses.gemini", "enabled", "named_by_rules")(folder, entry, where)
