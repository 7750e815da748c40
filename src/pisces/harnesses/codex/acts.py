"""Keys of Codex's config.toml that act by themselves (0.166.0)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import ENVIRONMENT, GRANT, PROGRAM, SOURCE

_EVERY_CALL = "for every call"

ACTS = ActingKeys(
    (
        SettingAct(("notify",), PROGRAM, "notification", when="after each answer"),
        SettingAct(("approval_policy",), GRANT, "nobody is asked", ("never", "on-failure"), _EVERY_CALL, opens=True),
        SettingAct(("sandbox_mode",), GRANT, "the sandbox is off", ("danger-full-access",), _EVERY_CALL, opens=True),
        SettingAct(
            ("default_permissions",), GRANT, "the sandbox is off", (":danger-full-access",), _EVERY_CALL, opens=True
        ),
        SettingAct(
            ("profiles", "*", "approval_policy"),
            GRANT,
            "nobody is asked",
            ("never", "on-failure"),
            _EVERY_CALL,
            opens=True,
            user_only=True,
        ),
        SettingAct(
            ("profiles", "*", "sandbox_mode"),
            GRANT,
            "the sandbox is off",
            ("danger-full-access",),
            _EVERY_CALL,
            opens=True,
            user_only=True,
        ),
        SettingAct(
            ("sandbox_workspace_write", "network_access"), GRANT, "commands may use the network", (True,), _EVERY_CALL
        ),
        SettingAct(
            ("sandbox_workspace_write", "writable_roots", "*"), GRANT, "folder that may be changed", (), _EVERY_CALL
        ),
        SettingAct(("shell_environment_policy", "set", "*"), ENVIRONMENT, "environment"),
        SettingAct(("model_providers", "*", "base_url"), SOURCE, "the model is asked at", when="for every answer"),
        SettingAct(("chatgpt_base_url",), SOURCE, "the model is asked at", when="for every answer"),
        SettingAct(("openai_base_url",), SOURCE, "the model is asked at", when="for every answer"),
        SettingAct(("model_providers", "*", "auth", "command"), PROGRAM, "prints a key"),
    ),
)
