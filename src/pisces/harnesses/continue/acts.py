"""Keys of Continue's files that act by themselves (its source of 2026-06)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, SOURCE

ACTS = ActingKeys(
    (
        SettingAct(("allow", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(("models", "*", "apiBase"), SOURCE, "the model is asked at", when="for every answer"),
    ),
)
