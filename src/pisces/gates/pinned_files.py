"""Whether the files that a server is pinned to are those that were fetched. A server might change its own files.

Reading thousands of files takes longer than a server takes to start. So a folder that the system says is untouched
since it was last compared is not read again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from time import time_ns

from pisces.atomic import write_atomically
from pisces.diagnostics import PiscesError
from pisces.discovery.pins import TooManyFiles, digest_of, pins_below
from pisces.disk import disk_faults
from pisces.file_lock import file_lock
from pisces.formats.json_file import object_at
from pisces.gates.folder_identity import folder_identity, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.places import Places

_FILE = "compared-pins.json"
_MODE = 0o600


def are_as_pinned(folder: str, tree: str, places: Places) -> bool:
    identity = settled(folder_identity(folder), time_ns())
    now = {"tree": tree, "identity": list(identity)}
    if identity and object_at(_path(places)).get(folder) == now:
        return True
    try:
        is_same = digest_of(pins_below(folder)) == tree
    except (OSError, TooManyFiles):
        return False
    if is_same and identity:
        with suppress(PiscesError):  # only makes the next start quicker
            _remember(folder, now, places)
    return is_same


def _remember(folder: str, now: Mapping[str, object], places: Places) -> None:
    with disk_faults(places.agent_dir), file_lock(_path(places) + ".lock", lambda _text: None):
        known = {name: each for name, each in object_at(_path(places)).items() if os.path.isdir(name)}
        text = json.dumps({**known, folder: now}, indent=1)
        write_atomically(_path(places), text.encode("utf-8", "surrogateescape"), _MODE)


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
