"""Events of foreign hooks as events of Gemini CLI: when they fire there, for what, and what differs."""

from __future__ import annotations

from pisces.converting.fate import DROPPED, NEVER_LOADED, lost
from pisces.converting.hook_tools import lost_hook, names_matched
from pisces.harnesses.gemini.writing.hook_matchers import asked_tools, matched_tools, tool_matcher
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginHook

_SUBAGENT = "^invoke_agent$"
_SOURCES = ("startup", "resume", "clear")
_TRIGGERS = ("manual", "auto")
# Why a session ends there, and the words for it here.
_REASONS = {
    "exit": ("other", "prompt_input_exit"),
    "clear": ("clear",),
    "logout": ("logout",),
    "prompt_input_exit": ("prompt_input_exit",),
    "other": ("other",),
}
_PERMISSION = "permission_prompt"
_LONGEST_SHOWN = 200
_PERMISSION_DIFFERS = (
    "Gemini CLI has no event for its questions: the hook runs before every call that may be asked about; it can deny,"
    " its allow does not answer the question"
)


class HookTimes(Value):
    """`matchers`: one entry for each, None for an entry without. `differs` says what is not quite the same."""

    event: str
    matchers: tuple[str | None, ...]
    differs: str = ""


def times_of(hook: PluginHook, package: str) -> HookTimes | Fate:
    """When Gemini CLI runs the hook, or why it never does."""
    find = _EVENTS.get(hook.name)
    if find is None:
        return lost_hook(hook, f"Gemini CLI has no event like `{hook.name}`")
    return find(hook, package)


def _tool_times(event: str) -> Callable[[PluginHook, str], HookTimes | Fate]:
    def times(hook: PluginHook, package: str) -> HookTimes | Fate:
        found = matched_tools(hook.matcher)
        if found.is_empty and found.unknown:
            return lost_hook(hook, f"Gemini CLI has no tool like {_shown(found.unknown)}", "group.matcher")
        if found.is_empty:
            return lost(
                DROPPED,
                NEVER_LOADED,
                hook,
                f"its matcher `{str(hook.matcher)[:_LONGEST_SHOWN]}` fits no tool",
                "group.matcher",
            )
        is_asked = hook.name == "PermissionRequest"
        wanted = asked_tools(found) if is_asked else found
        missing = f"Gemini CLI has no tool like {_shown(found.unknown)}" if found.unknown else ""
        differs = "; ".join(each for each in (_PERMISSION_DIFFERS if is_asked else "", missing) if each)
        return HookTimes(event, (tool_matcher(wanted, package),), differs)

    return times


def _shown(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)[:_LONGEST_SHOWN]


def _start_times(hook: PluginHook, _package: str) -> HookTimes | Fate:
    found = names_matched(hook.matcher, _SOURCES)
    after_compaction = bool(names_matched(hook.matcher, ("compact",)))
    if not found:
        why = "Gemini CLI has no event after a compaction" if after_compaction else "its matcher fits no source"
        return _never(hook, why, is_known=after_compaction)
    differs = "Gemini CLI does not start it again after a compaction" if after_compaction else ""
    return HookTimes("SessionStart", (None,) if found == _SOURCES else found, differs)


def _end_times(hook: PluginHook, _package: str) -> HookTimes | Fate:
    found = tuple(reason for reason, words in _REASONS.items() if names_matched(hook.matcher, words))
    if not found:
        return _never(hook, "Gemini CLI ends no session for this reason", is_known=True)
    differs = "Gemini CLI does not wait for it"
    return HookTimes("SessionEnd", (None,) if len(found) == len(_REASONS) else found, differs)


def _compact_times(hook: PluginHook, _package: str) -> HookTimes | Fate:
    found = names_matched(hook.matcher, _TRIGGERS)
    if not found:
        return _never(hook, "its matcher fits no trigger", is_known=False)
    differs = "Gemini CLI runs it before it looks whether to compress, and it cannot stop that"
    return HookTimes("PreCompress", (None,) if found == _TRIGGERS else found, differs)


def _notification_times(hook: PluginHook, _package: str) -> HookTimes | Fate:
    if not names_matched(hook.matcher, (_PERMISSION,)):
        return lost_hook(hook, "Gemini CLI notifies of questions about tools only", "group.matcher")
    return HookTimes("Notification", (None,), "Gemini CLI notifies of questions about tools only")


def _never(hook: PluginHook, why: str, *, is_known: bool) -> Fate:
    field = "group.matcher"
    return lost_hook(hook, why, field) if is_known else lost(DROPPED, NEVER_LOADED, hook, why, field)


_EVENTS: dict[str, Callable[[PluginHook, str], HookTimes | Fate]] = {
    "PreToolUse": _tool_times("BeforeTool"),
    "PermissionRequest": _tool_times("BeforeTool"),
    "PostToolUse": _tool_times("AfterTool"),
    "PostToolUseFailure": _tool_times("AfterTool"),
    "UserPromptSubmit": lambda _hook, _package: HookTimes("BeforeAgent", (None,)),
    "Stop": lambda _hook, _package: HookTimes("AfterAgent", (None,)),
    "SubagentStart": lambda _hook, _package: HookTimes(
        "BeforeTool", (_SUBAGENT,), "what it says for the subagent is added to the task that the subagent gets"
    ),
    "SubagentStop": lambda _hook, _package: HookTimes(
        "AfterTool", (_SUBAGENT,), "it cannot let the subagent go on: what it objects to stands behind the result"
    ),
    "SessionStart": _start_times,
    "SessionEnd": _end_times,
    "PreCompact": _compact_times,
    "Notification": _notification_times,
}
