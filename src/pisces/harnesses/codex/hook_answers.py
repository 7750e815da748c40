"""What the answer of a Codex hook means (0.166.0), and where we are stricter than Codex.

Codex takes an answer only in the exact shape of its event, and ignores any other: the call then runs. Here a denial is
read wherever it stands (rule 2), and an answer that nobody can use is a failure (rule 1). An `allow` is read nowhere:
it skips no question in Codex either, except at a PermissionRequest.
"""

from __future__ import annotations

import re

from pisces.gates.hooks.answers import (
    denial_among,
    denial_in,
    is_attempt,
    objects_in,
    stop_in,
    whole_object,
    whole_text,
)
from pisces.gates.hooks.dialect import HookAnswer
from pisces.gates.hooks.failures import failure_of
from pisces.harnesses.codex.hook_output import flaw_in
from pisces.shapes.verdict import ALLOW, ASK, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.gates.hooks.dialect import HookOutcome

PRE, POST, PERMISSION, PROMPT = "PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit"
START, SUBAGENT_START = "SessionStart", "SubagentStart"
STOPS = ("Stop", "SubagentStop")
BLOCKING = frozenset((PRE, PROMPT))  # a hook that fails there stops what is about to happen
_DECIDING = frozenset((PRE, POST, PERMISSION, PROMPT, *STOPS))
_PLAIN_IS_CONTEXT = frozenset((START, SUBAGENT_START, PROMPT))
_BY_EXIT_2 = "the hook exited with code 2 and gave no reason"
_NO_REASON = "the hook gave no reason"
_HALF = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def answer_of(name: str, outcome: HookOutcome) -> HookAnswer:
    if outcome.exit is None or outcome.exit not in (0, 2):
        return _after_failure(name, outcome)
    if outcome.exit == 2:
        return _after_exit_2(name, outcome)
    if not outcome.stdout.strip():
        reason = denial_among(objects_in(outcome.stderr)) if name in _DECIDING else None
        return HookAnswer() if reason is None else HookAnswer(DENY, reason or _NO_REASON, rule=2)
    answer = whole_object(outcome.stdout)
    if answer is None:
        return _after_text(name, outcome)
    return _decided(name, answer, _unread(outcome.stdout) or flaw_in(name, answer))


def _unread(text: str) -> str:
    """What keeps Codex from reading JSON that others read."""
    if text.strip().startswith("\ufeff"):
        return "there is a byte order mark"
    return "there is half a character" if _HALF.search(text) else ""


def model_answer(outcome: HookOutcome) -> HookAnswer:
    """Of a hook that asks a model, which Codex skips: `{"ok": false, "reason": ...}` denies, and an ok is no allow."""
    objects = objects_in(outcome.stdout)
    reason = denial_among(objects)
    if reason is not None:
        return HookAnswer(DENY, reason or _NO_REASON, rule=2)
    if outcome.exit == 0 and len(objects) == 1 and objects[0].get("ok") is True:
        return HookAnswer()
    return HookAnswer(failure=failure_of(outcome) if outcome.exit is None else "the model's answer has no `ok`", rule=1)


def _after_failure(name: str, outcome: HookOutcome) -> HookAnswer:
    said = (*objects_in(outcome.stdout), *objects_in(outcome.stderr))
    reason = denial_among(said) if name in _DECIDING else None
    failure = failure_of(outcome)
    if reason is not None:
        return HookAnswer(DENY, reason or failure, rule=2)
    return HookAnswer(failure=failure, rule=1 if name in BLOCKING else 0)


def _after_exit_2(name: str, outcome: HookOutcome) -> HookAnswer:
    if name not in _DECIDING:
        return HookAnswer(failure=failure_of(outcome))
    if outcome.stderr.strip():
        return HookAnswer(DENY, outcome.stderr.strip())
    if name in STOPS:  # without a reason there is nothing to go on with
        return HookAnswer(failure=_BY_EXIT_2)
    objects = objects_in(outcome.stdout)
    said = "" if objects else outcome.stdout.strip()
    return HookAnswer(DENY, denial_among(objects) or said or _BY_EXIT_2, rule=2)


def _after_text(name: str, outcome: HookOutcome) -> HookAnswer:
    """No JSON object as a whole. Plain text is for the model at some events, and says nothing at the others."""
    text = outcome.stdout.strip()
    said = (*objects_in(text), *objects_in(outcome.stderr))
    reason = denial_among(said) if name in _DECIDING else None
    if reason is not None:
        return HookAnswer(DENY, reason or _NO_REASON, rule=2)
    if is_attempt(text):
        return HookAnswer(failure=f"its output is no answer: {text[:200]}", rule=1 if name in BLOCKING else 0)
    return HookAnswer(context=(whole_text(text),) if name in _PLAIN_IS_CONTEXT else ())


def _decided(name: str, answer: dict[str, Any], flaw: str) -> HookAnswer:
    """`flaw` is why Codex ignores the answer, empty if it takes it."""
    specific = answer.get("hookSpecificOutput")
    inner = specific if isinstance(specific, dict) else {}
    common = _common(answer, inner, flaw)
    reason = denial_in(answer) if name in _DECIDING else None
    if name == PRE:
        return _before_tool(answer, inner, flaw, reason).replace(**common)
    if name == PERMISSION:
        return _permission(inner, flaw, reason).replace(**common)
    stop = stop_in(answer)
    if stop is not None and name != SUBAGENT_START:
        return _stopped(name, answer, stop, flaw).replace(**common)
    if reason is not None and (reason or name not in STOPS):
        return HookAnswer(DENY, reason or _NO_REASON, rule=2 if flaw else 0).replace(**common)
    if flaw:
        return HookAnswer(failure=flaw, rule=1 if name in BLOCKING else 0).replace(**common)
    return HookAnswer(**common)


def _before_tool(answer: dict[str, Any], inner: dict[str, Any], flaw: str, reason: str | None) -> HookAnswer:
    if reason is not None:
        return HookAnswer(DENY, reason or _NO_REASON, rule=2 if flaw else 0)
    stop = stop_in(answer)
    if stop is not None:
        return HookAnswer(DENY, stop or "the hook stopped the session", rule=2)
    decision = inner.get("permissionDecision", answer.get("permissionDecision", answer.get("decision")))
    said = decision.strip().lower() if isinstance(decision, str) else decision
    if said in ("ask", "defer"):
        why = inner.get("permissionDecisionReason") or answer.get("reason") or ""
        return HookAnswer(ASK, str(why), rule=2)
    if not flaw:
        return HookAnswer(input=inner.get("updatedInput"))
    if said in ("allow", "approve") and decision == said and "updatedInput" not in inner:
        return HookAnswer()  # Codex has no such answer: nothing is skipped, and nothing is refused
    return HookAnswer(failure=flaw, rule=1) if said is not None or "updatedInput" in inner else _without(answer, flaw)


def _without(answer: dict[str, Any], flaw: str) -> HookAnswer:
    """No decision at all. Fields that other harnesses document say nothing about the call; unknown ones might."""
    known = {"continue", "stopReason", "suppressOutput", "systemMessage", "reason", "hookSpecificOutput"}
    return HookAnswer() if set(answer) <= known else HookAnswer(failure=flaw, rule=1)


def _permission(inner: dict[str, Any], flaw: str, reason: str | None) -> HookAnswer:
    """An answer that Codex ignores leaves the question to the user."""
    if reason is not None:
        return HookAnswer(DENY, reason or "PermissionRequest hook denied approval", rule=2 if flaw else 0)
    if flaw:
        return HookAnswer(failure=flaw)
    decision = inner.get("decision")
    return HookAnswer(ALLOW if decision and decision["behavior"] == "allow" else "")


def _stopped(name: str, answer: dict[str, Any], stop: str, flaw: str) -> HookAnswer:
    if name == POST:  # the session goes on, without the result
        reason = str(answer.get("reason") or "").strip() or stop or "PostToolUse hook stopped execution"
        return HookAnswer(DENY, reason, rule=2 if flaw else 0)
    return HookAnswer(why=stop, stop=stop, rule=2 if flaw else 0)


def _common(answer: dict[str, Any], inner: dict[str, Any], flaw: str) -> dict[str, Any]:
    """What is said beside the decision. Codex passes it on only from an answer that it takes."""
    context, message = inner.get("additionalContext"), answer.get("systemMessage")
    return {
        "context": (context,) if isinstance(context, str) and context and not flaw else (),
        "message": whole_text(message) if isinstance(message, str) else "",
    }
