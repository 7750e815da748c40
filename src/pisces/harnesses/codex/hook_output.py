"""The exact shapes in which Codex takes the answer of a hook (0.166.0): any other field or type makes it ignore all."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Shape = Mapping[str, tuple[type, ...]]

_NONE = type(None)
_TEXT, _FLAG = (str, _NONE), (bool,)
NO_OBJECT = "`updatedInput` is no object"
_ANY = (dict, list, str, int, float, bool, _NONE)
_COMMON: Shape = {"continue": _FLAG, "suppressOutput": _FLAG, "stopReason": _TEXT, "systemMessage": _TEXT}
_SPECIFIC = "hookSpecificOutput"
_WITH_CONTEXT: Shape = {"additionalContext": _TEXT}

_DECIDES: Shape = {**_COMMON, "decision": _TEXT, "reason": _TEXT}
_TOP: Mapping[str, Shape] = {
    "PreToolUse": _DECIDES,
    "PostToolUse": _DECIDES,
    "UserPromptSubmit": _DECIDES,
    "Stop": _DECIDES,
    "SubagentStop": _DECIDES,
}
_INNER: Mapping[str, Shape] = {
    "PreToolUse": {
        "permissionDecision": _TEXT,
        "permissionDecisionReason": _TEXT,
        "updatedInput": _ANY,
        **_WITH_CONTEXT,
    },
    "PostToolUse": {"updatedMCPToolOutput": _ANY, **_WITH_CONTEXT},
    "PermissionRequest": {"decision": (dict, _NONE)},
    "SessionStart": _WITH_CONTEXT,
    "SubagentStart": _WITH_CONTEXT,
    "UserPromptSubmit": _WITH_CONTEXT,
}
_ANSWER: Shape = {
    "behavior": (str,),
    "updatedInput": _ANY,
    "updatedPermissions": _ANY,
    "message": _TEXT,
    "interrupt": _FLAG,
}
_EVENTS = frozenset((*_INNER, *_TOP, "PreCompact", "PostCompact", "SessionEnd"))


def flaw_in(name: str, answer: Mapping[str, Any]) -> str:
    """Why Codex ignores this answer to an event, empty if it takes it."""
    flaw = _misfit(answer, {**_TOP.get(name, _COMMON), **({_SPECIFIC: (dict, _NONE)} if name in _INNER else {})})
    inner = answer.get(_SPECIFIC)
    if not flaw and inner is not None:
        event = inner.get("hookEventName")
        flaw = "" if event in _EVENTS else f"`{_SPECIFIC}` without `hookEventName`"
        flaw = flaw or _misfit(inner, {**_INNER[name], "hookEventName": (str,)}, f"{_SPECIFIC}.")
    if flaw:
        return flaw
    check = {"PreToolUse": _before_tool, "PermissionRequest": _permission, "PostToolUse": _after_tool}.get(name, _block)
    return check(answer, inner or {})


def _misfit(value: Mapping[str, Any], shape: Shape, where: str = "") -> str:
    for key, item in value.items():
        if key not in shape:
            return f"unknown field `{where}{key}`"
        if not isinstance(item, shape[key]) or (isinstance(item, bool) and bool not in shape[key]):
            return f"`{where}{key}` is of a wrong type"
    return ""


def _unsupported(answer: Mapping[str, Any], *keys: str) -> str:
    said = {"continue": answer.get("continue") is False, "stopReason": answer.get("stopReason") is not None}
    said["suppressOutput"] = answer.get("suppressOutput") is True
    return next((f"`{key}` is not supported here" for key in keys if said[key]), "")


def _before_tool(answer: Mapping[str, Any], inner: Mapping[str, Any]) -> str:
    flaw = _unsupported(answer, "continue", "stopReason", "suppressOutput")
    keys = ("permissionDecision", "permissionDecisionReason", "updatedInput")
    if flaw:
        return flaw
    if answer.get("decision") not in (None, "approve", "block"):
        return "unknown `decision`"
    if any(inner.get(key) is not None for key in keys):
        return _specific(inner)
    if answer.get("decision") == "approve":
        return "`decision: approve` is not supported here"
    return _block(answer, inner) or _reason_alone(answer)


def _specific(inner: Mapping[str, Any]) -> str:
    decision, changed = inner.get("permissionDecision"), inner.get("updatedInput") is not None
    if decision not in (None, "allow", "deny", "ask"):
        return "unknown `permissionDecision`"
    if changed and decision != "allow":
        return "`updatedInput` without `permissionDecision: allow`"
    if changed and not isinstance(inner["updatedInput"], dict):
        return NO_OBJECT
    if decision == "deny":
        return "" if str(inner.get("permissionDecisionReason") or "").strip() else "a denial without a reason"
    return "" if changed else f"`permissionDecision: {decision}` alone is not supported here"


def _permission(answer: Mapping[str, Any], inner: Mapping[str, Any]) -> str:
    decision = inner.get("decision")
    flaw = _unsupported(answer, "continue", "stopReason", "suppressOutput")
    if flaw or decision is None:
        return flaw
    flaw = _misfit(decision, _ANSWER, "decision.")
    if flaw or decision.get("behavior") not in ("allow", "deny"):
        return flaw or "unknown `behavior`"
    unsupported = ("updatedInput", "updatedPermissions", "interrupt")
    return next((f"`{key}` is not supported here" for key in unsupported if decision.get(key) not in (None, False)), "")


def _after_tool(answer: Mapping[str, Any], inner: Mapping[str, Any]) -> str:
    if inner.get("updatedMCPToolOutput") is not None:
        return "`updatedMCPToolOutput` is not supported here"
    flaw = _unsupported(answer, "suppressOutput") or _block(answer, inner)
    return flaw or ("" if answer.get("continue") is False else _reason_alone(answer))


def _block(answer: Mapping[str, Any], _inner: Mapping[str, Any]) -> str:
    decision = answer.get("decision")
    if decision is None:
        return ""
    if decision != "block":
        return "unknown `decision`"
    return "" if str(answer.get("reason") or "").strip() else "`decision: block` without a reason"


def _reason_alone(answer: Mapping[str, Any]) -> str:
    has_reason = answer.get("reason") is not None and answer.get("decision") is None
    return "`reason` without `decision`" if has_reason else ""
