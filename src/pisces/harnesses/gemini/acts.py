"""Keys of Gemini CLI's settings that act by themselves (0.61.0)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import GRANT, PROGRAM, SOURCE

ACTS = ActingKeys(
    (
        SettingAct(("tools", "discoveryCommand"), PROGRAM, "lists tools"),
        SettingAct(("tools", "callCommand"), PROGRAM, "runs tools", when="for every call of such a tool"),
        SettingAct(("tools", "allowed", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(("tools", "sandbox"), GRANT, "the sandbox is off", (False,), opens=True),
        SettingAct(
            ("general", "defaultApprovalMode"),
            GRANT,
            "approval mode",
            ("auto_edit", "yolo"),
            when="for every call",
            opens=True,
        ),
        SettingAct(("security", "autoAddToPolicyByDefault"), GRANT, "what you allow once stays allowed", (True,)),
        SettingAct(("policyPaths", "*"), GRANT, "policies from elsewhere", when="for every call"),
        SettingAct(("context", "includeDirectories", "*"), GRANT, "folder that is part of the workspace"),
        SettingAct(("telemetry", "otlpEndpoint"), SOURCE, "telemetry goes to", when="during the session"),
        SettingAct(("telemetry", "outfile"), SOURCE, "telemetry is written to", when="during the session"),
    ),
    env_files=(".gemini/.env", ".env"),
)
