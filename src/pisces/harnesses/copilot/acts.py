"""Keys of Copilot's settings that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, PROGRAM

ACTS = ActingKeys(
    (
        SettingAct(("statusLine", "command"), PROGRAM, "status line", when="after each message"),
        SettingAct(("allowedTools", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(("trustedFolders", "*"), GRANT, "folder that is trusted"),
    ),
)
