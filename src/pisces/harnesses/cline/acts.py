"""Keys of Cline's global settings that act by themselves (SDK 0.0.78)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT

ACTS = ActingKeys(
    (SettingAct(("toolAutoApprove",), GRANT, "nobody is asked", (True,), "for every call", opens=True),),
)
