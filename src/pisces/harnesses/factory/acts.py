"""Keys of Droid's settings that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, SOURCE

_EVERY_CALL = "for every call"

ACTS = ActingKeys(
    (
        SettingAct(("commandAllowlist", "*"), GRANT, "allowed unasked", when=_EVERY_CALL),
        SettingAct(
            ("sessionDefaultSettings", "autonomyLevel"),
            GRANT,
            "work of that risk is not asked about",
            ("medium", "high"),
            _EVERY_CALL,
            opens=True,
        ),
        SettingAct(
            ("sessionDefaultSettings", "autonomyMode"),
            GRANT,
            "work of that risk is not asked about",
            ("auto-medium", "auto-high"),
            _EVERY_CALL,
            opens=True,
        ),
        SettingAct(("enableDroidShield",), GRANT, "secrets are not looked for", (False,), _EVERY_CALL, opens=True),
        SettingAct(("enabledPlugins", "*"), SOURCE, "plugin, installed when it is missing", (True,)),
        SettingAct(("extraKnownMarketplaces", "*"), SOURCE, "marketplace of plugins"),
        SettingAct(("customModels", "*", "baseUrl"), SOURCE, "the model is asked at", when="for every answer"),
    ),
)
