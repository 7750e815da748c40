"""Keys of Qwen Code's settings that act by themselves (as its documentation says)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import ENVIRONMENT, GRANT, PROGRAM

_OPEN_MODES = ("auto-edit", "auto_edit", "yolo")

ACTS = ActingKeys(
    (
        SettingAct(("tools", "discoveryCommand"), PROGRAM, "lists tools"),
        SettingAct(("tools", "callCommand"), PROGRAM, "runs tools", when="for every call of such a tool"),
        SettingAct(("tools", "allowed", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(("permissions", "allow", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(
            ("tools", "autoAccept"), GRANT, "calls that only read are not asked about", (True,), "for every call"
        ),
        SettingAct(("tools", "approvalMode"), GRANT, "approval mode", _OPEN_MODES, "for every call", opens=True),
        SettingAct(("env", "*"), ENVIRONMENT, "environment"),
    ),
    env_files=(".qwen/.env", ".env"),
)
