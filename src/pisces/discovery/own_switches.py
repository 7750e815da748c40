"""Which line of pisces' own settings switches a single item off."""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSONC, YAML, ConfigFile, config_at
from pisces.discovery.state import OFF, State, switched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Run
    from pisces.places import Places

ITEMS = "disabledExtensions"


def own_settings(places: Places) -> tuple[tuple[str, str], tuple[str, str]]:
    """The user's settings and the project's, with their syntax."""
    user = os.path.join(places.agent_dir, "config.yml")
    return (user, YAML), (os.path.join(places.cwd, ".pisces", "settings.json"), JSONC)


def own_switch(ids: tuple[str, ...], places: Places, run: Run) -> State:
    """For an item that is switched off under one of these ids; an option of the call has no file."""
    reason = f"switched off as {ids[0]}"
    for path, syntax in own_settings(places):
        file = config_at(path, syntax, run)
        listed = file.part((ITEMS,)) if isinstance(file, ConfigFile) else None
        for index, each in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(file, ConfigFile) and each in ids:
                return switched(OFF, reason, file, (ITEMS, index), f"remove `{each}` from `{ITEMS}`")
    return State(OFF, reason, change="leave out `--disable`")
