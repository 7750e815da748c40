"""What the answer of a Gemini hook means (0.61.0), and where we are stricter than Gemini CLI.

It reads the JSON of stdout, or of stderr where stdout is empty, whatever the exit code is; text that is no JSON denies
with an exit code above 1, and allows with 0 and 1. Silence allows, and so does a hook that was killed or took too long.
Here a denial is read wherever it stands and in whatever words (rule 2), and an answer that nobody can use is a failure
(rule 1). An `allow` skips no question in Gemini CLI, so none is read.
"""

from __future__ import annotations

from pisces.formats.js_text import trimmed
from pisces.formats.js_truth import is_truthy
from pisces.gates.hooks.answers import (
    TAKEN_BACK,
    denial_among,
    denial_in,
    encoded_object,
    is_attempt,
    objects_in,
    stop_in,
    text_of,
    whole_text,
)
from pisces.gates.hooks.dialect import HookAnswer
from pisces.gates.hooks.failures import failure_of
from pisces.shapes.verdict import ASK, DENY
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.gates.hooks.dialect import HookOutcome

BEFORE_TOOL, AFTER_TOOL, BEFORE_AGENT, AFTER_AGENT = "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent"
BEFORE_MODEL, AFTER_MODEL, SELECTION = "BeforeModel", "AfterModel", "BeforeToolSelection"
BLOCKING = frozenset((BEFORE_TOOL, BEFORE_AGENT, BEFORE_MODEL))  # a hook that fails there stops what is to happen
_DECIDING = frozenset((*BLOCKING, AFTER_TOOL, AFTER_AGENT, AFTER_MODEL))
NO_REASON = "No reason provided"
_BY_EXIT_2 = "the hook exited with code 2 and gave no reason"
_KNOWN = ("allow", "approve", "deny", "block", "ask")


def answer_of(name: str, outcome: HookOutcome) -> HookAnswer:
    text = trimmed(outcome.stdout) or trimmed(outcome.stderr)
    if outcome.exit is None:
        reason = denial_among((*objects_in(text), *objects_in(outcome.stderr))) if name in _DECIDING else None
        return HookAnswer(DENY, reason, rule=2) if reason is not None else _failed(name, outcome)
    answer = encoded_object(text)
    if answer is None:
        return _from_text(name, outcome, text)
    return _decided(name, outcome, answer)


def _failed(name: str, outcome: HookOutcome, why: str = "") -> HookAnswer:
    return HookAnswer(failure=why or failure_of(outcome), rule=1 if name in BLOCKING else 0)


def _from_text(name: str, outcome: HookOutcome, text: str) -> HookAnswer:
    """No JSON object as a whole."""
    said = (*objects_in(text), *objects_in(outcome.stderr))
    reason = denial_among(said) if name in _DECIDING else None
    if reason is not None:
        return HookAnswer(DENY, reason or text, rule=2)
    if outcome.exit == 0:
        return _after_success(name, outcome, text)
    if name in _DECIDING and text and outcome.exit != 1:
        return HookAnswer(DENY, text, rule=2 if name == AFTER_MODEL else 0)
    if name in BLOCKING and outcome.exit == 2:
        return HookAnswer(DENY, _BY_EXIT_2, rule=2)
    return _failed(name, outcome).replace(message=f"Warning: {text}" if text else "")


def _after_success(name: str, outcome: HookOutcome, text: str) -> HookAnswer:
    """Plain text is for the user. An attempt at an answer that is none is no usable answer of a guard."""
    if not is_attempt(outcome.stdout) or name not in BLOCKING:
        return HookAnswer(message=text)
    return _failed(name, outcome, f"its output is no answer: {text[:200]}").replace(message=text)


def _decided(name: str, outcome: HookOutcome, answer: dict[str, Any]) -> HookAnswer:
    found = HookAnswer(message=text_of(answer.get("systemMessage")))
    if name not in _DECIDING:
        return found.replace(**_beside(name, answer))
    stop, reason = stop_in(answer), denial_in(answer)
    if stop is not None:
        rule = 0 if answer.get("continue") is False and TAKEN_BACK not in answer else 2
        return found.replace(decision=DENY, why=stop or NO_REASON, stop=stop or NO_REASON, rule=rule)
    if reason is not None:
        return found.replace(**_denied(name, answer, reason))
    if outcome.exit == 2 and name in BLOCKING:
        return found.replace(decision=DENY, why=_BY_EXIT_2, rule=2)
    decision = answer.get("decision")
    if decision == ASK and name == BEFORE_TOOL:
        return found.replace(decision=ASK, why=text_of(answer.get("reason")))
    flaw = _flaw(name, answer, decision)
    if outcome.exit != 0 or flaw:
        return _failed(name, outcome, "" if outcome.exit != 0 else flaw).replace(message=found.message)
    return found.replace(**_beside(name, answer))


def _denied(name: str, answer: dict[str, Any], reason: str) -> dict[str, Any]:
    """Gemini CLI knows two words for it."""
    is_known = answer.get("decision") in ("deny", "block") and TAKEN_BACK not in answer
    why = _printed(answer.get("reason")) or ("" if is_known else reason) or NO_REASON
    extra = _specific(answer) if name in (BEFORE_MODEL, AFTER_AGENT) else EMPTY
    rule = 0 if is_known and name != AFTER_MODEL else 2
    return {"decision": DENY, "why": why, "rule": rule, "extra": extra}


def _printed(reason: object) -> str:
    """As it is, blanks and all; what JavaScript takes for nothing is none."""
    return "" if not is_truthy(reason) else whole_text(reason) if isinstance(reason, str) else text_of(reason)


def _flaw(name: str, answer: dict[str, Any], decision: object) -> str:
    """What makes an answer useless, that Gemini CLI would pass over."""
    if decision is not None and decision not in _KNOWN:
        return f"unknown `decision`: {text_of(decision)}"
    changed = _specific(answer).get("tool_input")
    return "`tool_input` is no object" if name == BEFORE_TOOL and not isinstance(changed, dict | None) else ""


def _beside(name: str, answer: dict[str, Any]) -> dict[str, Any]:
    inner = _specific(answer)
    context = inner.get("additionalContext")
    return {
        "input": inner.get("tool_input") if name == BEFORE_TOOL else None,
        "context": (whole_text(context),) if isinstance(context, str) and context else (),
        "extra": inner,
    }


def _specific(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = answer.get("hookSpecificOutput")
    return inner if isinstance(inner, dict) else EMPTY
