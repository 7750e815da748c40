"""Keys of the settings of Antigravity's command line that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT

ACTS = ActingKeys(
    (
        SettingAct(("toolPermission",), GRANT, "nobody is asked", ("always-proceed",), "for every call", opens=True),
        SettingAct(("permissions", "allow", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(("trustedWorkspaces", "*"), GRANT, "folder that is trusted"),
    ),
)
