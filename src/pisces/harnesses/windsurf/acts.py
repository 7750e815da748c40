"""Keys of Devin's configuration that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT

ACTS = ActingKeys(
    (SettingAct(("permissions", "allow", "*"), GRANT, "allowed unasked", when="for every call"),),
)
