"""What a package brings."""

from __future__ import annotations

from pisces.discovery.inventory import Inventory, inspect as inspect_folder
from pisces.places import Places


def inspect(folder: str, places: Places) -> list[Inventory]:
    """What a package brings: one inventory for each format that the folder has a manifest of, none for other folders.

    `inventory.of(pisces.COMMANDS)` has the commands, and so on for each kind. Reads files and nothing else. A broken
    file raises nothing: it is one of the `diagnostics`.
    """
    return inspect_folder(places.absolute(folder), places)
