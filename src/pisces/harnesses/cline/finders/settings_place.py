"""A file in the folder `settings` of Cline's data: CLINE_DATA_DIR moves the data, and each file has a variable too."""

from __future__ import annotations

import os

from pisces.discovery.found import USER
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.harnesses.cline import HARNESS, SettingsPlace


def find(where: Where[SettingsPlace]) -> FinderResults:
    places, options = where.places, where.options
    data = places.env.get("CLINE_DATA_DIR") or os.path.join(HARNESS.user_path(places), "data")
    path = places.env.get(options.variable) or os.path.join(data, "settings", options.name)
    yield from passed_on(where.replace(level=USER), options.then, places.absolute(path))
