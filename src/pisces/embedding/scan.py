"""What looks dangerous in a folder."""

from __future__ import annotations

from pisces.places import Places
from pisces.scanning.scan import scan as scan_folder
from pisces.scanning.scanned import Scanned


def scan(folder: str, places: Places) -> Scanned:
    """What looks dangerous in a folder: `diagnostics`, and those that somebody waived.

    Waivers are those of the user and of the project, never those of the folder itself. No findings are no proof of
    safety. Runs and fetches nothing, and raises for no broken file.
    """
    return scan_folder(folder, places)
