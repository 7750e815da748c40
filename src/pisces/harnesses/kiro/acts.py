"""Rules of Kiro's permissions.yaml that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT

ACTS = ActingKeys(
    (SettingAct(("rules", "*", "effect"), GRANT, "allowed unasked", ("allow",), "for every call", shows="capability"),),
)
