"""Which packages have a record of stored values, installed or not."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from pisces.packages.settings.records import settings_folder
from pisces.places import Places


def packages_with_values(places: Places) -> list[str]:
    return sorted(unquote(record.stem) for record in Path(settings_folder(places)).glob("*.json"))
