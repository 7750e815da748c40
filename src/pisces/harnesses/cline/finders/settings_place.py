"""A file in the folder `settings` of Cline's data: CLINE_DATA_DIR moves the data, and each file has a variable too."""

from __future__ import annotations

import os

from pisces.discovery.found import USER
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.harnesses.cline import HARNESS, SettingsPlace
from pisces.places import Places


def find(where: Where[SettingsPlace]) -> FinderResults:
    options = where.options
    path = stored_at(where.places, options.name, options.variable)
    yield from passed_on(where.replace(level=USER), options.then, path)


def stored_at(places: Places, name: str, variable: str) -> str:
    data = places.env.get("CLINE_DATA_DIR") or os.path.join(HARNESS.user_path(places), "data")
    return places.absolute(places.env.get(variable) or os.path.join(data, "settings", name))
