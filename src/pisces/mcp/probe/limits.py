"""What each harness makes of a server, as far as its folder says so in `server_limits.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.by_name import export_of, files_called

if TYPE_CHECKING:
    from pisces.shapes.server_limits import ServerLimits

_HARNESSES = "pisces.harnesses"
_FILE = "server_limits"


def known_limits() -> dict[str, ServerLimits]:
    """By the id of the harness."""
    folders = files_called(_HARNESSES, _FILE)
    return {folder.rpartition(".")[2].replace("_", "-"): export_of(folder, _FILE, "LIMITS") for folder in folders}
