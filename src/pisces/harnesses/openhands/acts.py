"""Keys of OpenHands's settings that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import SOURCE

ACTS = ActingKeys(
    (SettingAct(("llm", "base_url"), SOURCE, "the model is asked at", when="for every answer"),),
)
