"""Keys of OpenCode's configuration that act by themselves (1.18.33)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, MODULE, PROGRAM, SOURCE

ACTS = ActingKeys(
    (
        SettingAct(("plugin", "*"), MODULE, "plugin, installed when it is missing"),
        SettingAct(("formatter", "*", "command"), PROGRAM, "formatter", when="after each edit"),
        SettingAct(("lsp", "*", "command"), PROGRAM, "language server", when="when a file is read"),
        SettingAct(("permission",), GRANT, "nobody is asked", ("allow",), "for every call", opens=True),
        SettingAct(("permission", "*"), GRANT, "allowed unasked", ("allow",), "for every call"),
        SettingAct(("provider", "*", "options", "baseURL"), SOURCE, "the model is asked at", when="for every answer"),
    ),
)
