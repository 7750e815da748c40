"""What Claude Code takes in a settings file of the user or the project. Any misfit makes it refuse the whole file.

Found by running version 2.1.325 with every key in five wrong shapes. Keys that it does not know, and those in whose
value it overlooks mistakes (such as `theme` or `extraKnownMarketplaces`), are not here.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.formats.fit import (
    ANYTHING,
    FLAG,
    NUMBER,
    TABLE,
    TEXT,
    Either,
    Listed,
    Mapped,
    Plain,
    Record,
    misfits,
    one_of,
)
from pisces.harnesses.claude.misplaced_guards import IN_SETTINGS, inside_hooks, outside_hooks
from pisces.harnesses.claude.plainly import plain_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.shapes.field import Keys

_TEXTS = """
    $schema apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh processWrapper
    attributionProject model prUrlTemplate otelHeadersHelper outputStyle language advisorModel agent minimumVersion
    requiredMinimumVersion requiredMaximumVersion plansDirectory timeFormat timeZone autoMemoryDirectory claudeMd
    pluginTrustMessage
"""
_FLAGS = """
    respectGitignore syncClaudeAiSkills syncClaudeAiPlugins wslInheritsWindowsSettings includeCoAuthoredBy
    includeGitInstructions enforceAvailableModels enableAllProjectMcpServers disableClaudeAiConnectors
    disableBundledSkills disableReplyCheck disableAgentView disableRemoteControl disableWorkflows disableArtifact
    enableArtifact enableWorkflows workflowKeywordTriggerEnabled disableSkillShellExecution
    disableWindowsBashCommandSplit bashEditDiffEnabled respondToBashCommands allowManagedHooksOnly
    allowManagedPermissionRulesOnly allowManagedMcpServersOnly allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp
    disableAllHooks disableCommandPluginSources disableSideloadFlags forceRemoteSettingsRefresh skipWebFetchPreflight
    spinnerTipsEnabled clawdFileProgressEnabled syntaxHighlightingDisabled terminalTitleFromRename
    alwaysThinkingEnabled fastMode fastModePerSessionOptIn promptSuggestionEnabled emojiCompletionEnabled
    awaySummaryEnabled responseComparisonEnabled showClearContextOnPlanAccept channelsEnabled prefersReducedMotion
    doneMeansMerged totalTokensReminderAfterUserTurn autoMemoryEnabled autoDreamEnabled showThinkingSummaries
    skipDangerousModePermissionPrompt skipWorkflowUsageWarning verbose autoCompactEnabled precomputeCompactionEnabled
    idleCompaction switchModelsOnFlag autoContinueAtUsageLimit autoScrollEnabled wheelScrollAccelerationEnabled
    fileCheckpointingEnabled showTurnDuration showMessageTimestamps terminalProgressBarEnabled todoFeatureEnabled
    remoteControlAtStartup isolatePeerMachines autoUploadSessions inputNeededNotifEnabled agentPushNotifEnabled
"""
_LISTS = """
    fallbackModel availableModels allowedHttpHookUrls httpHookAllowedEnvVars pluginSuggestionMarketplaces
    companyAnnouncements claudeMdExcludes
"""
_CHOICES = {
    "workflowSizeGuideline": "unrestricted small medium large",
    "defaultShell": "bash powershell",
    "parentSettingsBehavior": "first-wins merge",
    "managedSourcesBehavior": "first-wins merge",
    "feedbackDrafts": "notify quiet off",
    "autoUpdatesChannel": "latest stable rc",
    "tui": "default fullscreen",
    "totalTokensReminder": "off infinite fixed countdown padded-countdown",
    "disableAutoMode": "disable",
    "daemonColdStart": "transient ask",
}
_MODES = ("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan", "manual")


def _number(test: str, low: float, high: float = float("inf"), *, whole: bool = False) -> Plain:
    def flaw(number: float) -> str:
        fits = low <= number <= high and (not whole or number == number // 1)
        return "" if fits else f"must be {test}"

    return NUMBER.that(flaw)


def _is_word(text: str) -> bool:
    return text.isascii() and text.replace("_", "a").replace("-", "a").isalnum()


def _is_time(text: str) -> bool:
    hour, _, minute = text.partition(":")
    digits = text.isascii() and hour.isdigit() and minute.isdigit()
    return digits and len(hour) <= 2 and int(hour) < 24 and len(minute) == 2 and int(minute) < 60


_COUNT = _number("a whole number above 0", 1, whole=True)
_COMMAND = Record({"type": one_of("command"), "command": TEXT}, {"padding": NUMBER})
_SERVER_NAMES = Either(
    (
        TEXT.that(lambda text: "" if _is_word(text) else "must be a list of names"),
        Listed(TEXT),
    )
)
_VALUES = Mapped(Either((TEXT, NUMBER, FLAG, Listed(TEXT))))
_CLOCK = TEXT.that(lambda text: "" if _is_time(text) else "must be a time as 22:00")
_PERMISSIONS = Record(
    {},
    {
        **dict.fromkeys(("allow", "deny", "ask"), Listed(ANYTHING)),
        "defaultMode": one_of(*_MODES),
        "additionalDirectories": Listed(TEXT),
        **dict.fromkeys(("disableBypassPermissionsMode", "disableAutoMode"), one_of("disable")),
    },
)
_SHAPE = Record(
    {},
    {
        **dict.fromkeys(_TEXTS.split(), TEXT),
        **dict.fromkeys(_FLAGS.split(), FLAG),
        **dict.fromkeys(_LISTS.split(), Listed(TEXT)),
        **{key: one_of(*words.split()) for key, words in _CHOICES.items()},
        **dict.fromkeys(("strictKnownMarketplaces", "allowedMarketplaces", "blockedMarketplaces"), Listed(TABLE)),
        **dict.fromkeys(("enabledMcpjsonServers", "disabledMcpjsonServers"), _SERVER_NAMES),
        **dict.fromkeys(("cleanupPeriodDays", "skillListingMaxDescChars", "totalTokensReminderBudget"), _COUNT),
        "desktopSessionCleanupPeriodDays": _number("a whole number", 0, whole=True),
        "skillListingBudgetFraction": _number("above 0 and at most 1", 1e-300, 1),
        "feedbackSurveyRate": _number("between 0 and 1", 0, 1),
        "permissions": _PERMISSIONS,
        "env": TABLE,
        "modelOverrides": Mapped(TEXT),
        "skillOverrides": Mapped(one_of("on", "name-only", "user-invocable-only", "off")),
        "enabledPlugins": Mapped(Either((FLAG, Listed(TEXT)))),
        "forceLoginOrgUUID": Either((TEXT, Listed(TEXT))),
        "attribution": Either((FLAG, Record({}, {"commit": TEXT, "pr": TEXT, "sessionUrl": FLAG}))),
        "statusLine": _COMMAND,
        "fileSuggestion": _COMMAND,
        "spinnerVerbs": Record({"mode": one_of("append", "replace"), "verbs": Listed(TEXT)}),
        "sshConfigs": Listed(Record(dict.fromkeys(("id", "name", "sshHost"), TEXT))),
        "allowedChannelPlugins": Listed(TABLE),
        "pluginConfigs": Mapped(Record({}, {"mcpServers": Mapped(_VALUES), "options": _VALUES})),
        "breakReminder": Record({}, {"enabled": FLAG, "message": TEXT}),
        "quietHours": Record({}, {"enabled": FLAG, "start": _CLOCK, "end": _CLOCK}),
        "worktree": Record({}, dict.fromkeys(("symlinkDirectories", "sparsePaths"), Listed(TEXT))),
        "sandbox": Record({}, {"enabled": FLAG, **dict.fromkeys(("network", "filesystem", "credentials"), TABLE)}),
        "remote": Record({}, {"defaultEnvironmentId": TEXT}),
        "voice": Record({}, {"enabled": FLAG, "mode": one_of("hold", "tap"), "autoSubmit": FLAG}),
        "remoteTools": Record({}, {"allowUnattendedServing": FLAG}),
    },
)


def settings_flaw(values: dict[str, Any]) -> tuple[Keys, str] | None:
    """Keys and message of the first thing for which Claude Code refuses a settings file."""
    for misfit in misfits(values, _SHAPE):
        return misfit.path, f"`{'.'.join(map(str, misfit.path))}` {misfit.message}"
    return outside_hooks(values, IN_SETTINGS) or guard_flaw(values.get("hooks"))


def guard_flaw(events: Any) -> tuple[Keys, str] | None:
    """The same of `hooks` in a settings file."""
    if plain_hooks(events):
        return None
    found = inside_hooks(events)
    if found is None:
        hook_flaws = export_of("pisces.harnesses.claude", "hook_shape", "hook_flaws")
        found = next(((flaw.keys, flaw.message) for flaw in hook_flaws(events) if flaw.whole), None)
    return (("hooks", *found[0]), found[1]) if found else None
