"""Keys of Amp's settings that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, PROGRAM, SOURCE

_EVERY_CALL = "for every call"

ACTS = ActingKeys(
    (
        SettingAct(("amp.dangerouslyAllowAll",), GRANT, "nobody is asked", (True,), _EVERY_CALL, opens=True),
        SettingAct(("amp.permissions", "*", "action"), GRANT, "allowed unasked", ("allow",), _EVERY_CALL, shows="tool"),
        SettingAct(("amp.permissions", "*", "to"), PROGRAM, "decides about tools", when=_EVERY_CALL),
        SettingAct(("amp.mcpPermissions", "*", "action"), GRANT, "allowed server", ("allow",), shows="matches"),
        SettingAct(("amp.url",), SOURCE, "the model is asked at", when="for every answer"),
        SettingAct(("amp.proxy",), SOURCE, "everything is sent through", when="for every answer"),
    ),
)
