"""Keys of Claude Code's settings that act by themselves (2.1.325)."""

from __future__ import annotations

from pisces.discovery.acts import ActingKeys, SettingAct
from pisces.shapes.act import ENVIRONMENT, GRANT, PROGRAM, SOURCE

_PROGRAMS = (
    ("apiKeyHelper", "prints the key of the API"),
    ("awsAuthRefresh", "renews the sign-in to AWS"),
    ("awsCredentialExport", "prints credentials of AWS"),
    ("gcpAuthRefresh", "renews the sign-in to Google Cloud"),
    ("otelHeadersHelper", "prints headers for telemetry"),
    ("proxyAuthHelper", "prints the header of a proxy"),
)
# `dontAsk` refuses what nobody has allowed. Older versions obey `bypassPermissions` of a project: it counts there too.
_OPEN_MODES = ("acceptEdits", "bypassPermissions")

ACTS = ActingKeys(
    (
        *(SettingAct((key,), PROGRAM, what) for key, what in _PROGRAMS),
        SettingAct(("statusLine", "command"), PROGRAM, "status line", when="after each message"),
        SettingAct(("subagentStatusLine", "command"), PROGRAM, "status line of subagents", when="after each message"),
        SettingAct(("fileSuggestion", "command"), PROGRAM, "suggests files", when="while you type `@`"),
        SettingAct(("env", "*"), ENVIRONMENT, "environment"),
        SettingAct(("permissions", "allow", "*"), GRANT, "allowed unasked", when="for every call"),
        SettingAct(
            ("permissions", "additionalDirectories", "*"), GRANT, "folder that may be changed", when="for every call"
        ),
        SettingAct(
            ("permissions", "defaultMode"), GRANT, "permission mode", _OPEN_MODES, when="for every call", opens=True
        ),
        SettingAct(
            ("permissions", "defaultMode"),
            GRANT,
            "permission mode",
            ("auto",),
            when="for every call",
            opens=True,
            user_only=True,
        ),
        SettingAct(
            ("enableAllProjectMcpServers",), GRANT, "every server of .mcp.json is approved", (True,), opens=True
        ),
        SettingAct(("enabledMcpjsonServers", "*"), GRANT, "approved server of .mcp.json"),
        SettingAct(
            ("skipDangerousModePermissionPrompt",),
            GRANT,
            "no question before all permissions are off",
            (True,),
            opens=True,
        ),
        SettingAct(("sandbox", "excludedCommands", "*"), GRANT, "runs outside of the sandbox", when="for every call"),
        SettingAct(("extraKnownMarketplaces", "*"), SOURCE, "marketplace of plugins"),
    ),
)
