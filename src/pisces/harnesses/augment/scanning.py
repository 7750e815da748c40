"""Files of Auggie that a scan knows by name."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

_SETTINGS = (".augment/settings.json", ".augment/settings.local.json")

SCANNING = Scanning(grants=_SETTINGS, hooks=_SETTINGS, credentials=(".augment/session.json",))
