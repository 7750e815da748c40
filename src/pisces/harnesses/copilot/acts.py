"""Keys of Copilot's settings that act by themselves (as documented)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, PROGRAM, SOURCE

ACTS = ActingKeys(
    (
        SettingAct(("statusLine", "command"), PROGRAM, "status line", when="after each message"),
        SettingAct(("allowedTools", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(("trustedFolders", "*"), GRANT, "folder that is trusted"),
        SettingAct(("allowedUrls", "*"), GRANT, "address that may be fetched unasked", when="for every call"),
        SettingAct(("enabledPlugins", "*"), SOURCE, "plugin, installed when it is missing", (True,)),
        SettingAct(("extraKnownMarketplaces", "*"), SOURCE, "marketplace of plugins"),
        SettingAct(("proxyUrl",), SOURCE, "everything is sent through", when="for every answer"),
    ),
)
