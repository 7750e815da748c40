"""Keys of Goose's files that act by themselves (1.30.0)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, SOURCE

_EVERY_CALL = "for every call"

ACTS = ActingKeys(
    (
        SettingAct(("GOOSE_MODE",), GRANT, "nobody is asked", ("auto",), _EVERY_CALL, opens=True),
        SettingAct(("user", "always_allow", "*"), GRANT, "allowed unasked", when=_EVERY_CALL),
        SettingAct(("OPENAI_HOST",), SOURCE, "the model is asked at", when="for every answer"),
        SettingAct(("ANTHROPIC_HOST",), SOURCE, "the model is asked at", when="for every answer"),
    ),
)
