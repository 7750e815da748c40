"""OpenHands's record of what it has installed: `.installed.json` beside it says whether each is enabled."""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.state import OFF, State, switched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Where

RECORD = ".installed.json"
_KEYS = ("extensions", "plugins", "skills")  # the last two are those of older versions


def off_in_record(where: Where, name: str) -> State | None:
    """Off where the record of this folder says so; a folder without a record has none that is off."""
    file = config_at(os.path.join(where.path, RECORD), JSON, where.run)
    if not isinstance(file, ConfigFile):
        return None
    for key in _KEYS:
        enabled = file.part((key, name, "enabled"))
        if isinstance(enabled, bool):
            reason, keys = "it is disabled in the record of what is installed", (key, name, "enabled")
            return None if enabled else switched(OFF, reason, file, keys, "enable it in OpenHands")
    return None
