"""What the output of a hook of Claude Code means.

An allow, a question and a rewrite count only in an answer without any flaw: exit code 0, one JSON object as a whole,
each field of its kind. A denial counts in any form. What is neither is no usable answer; plain text is none, and says
nothing against the call.
"""

from __future__ import annotations

from pisces.gates.hooks.answers import TAKEN_BACK, denial_among, is_attempt, objects_in, whole_object
from pisces.gates.hooks.dialect import DEFERRED, NO_ANSWER, TIMEOUT, HookAnswer
from pisces.harnesses.claude.hook_flaws import flaw_in, shape_of
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.formats.json import JsonObject
    from pisces.gates.hooks.dialect import HookOutcome, LoadedHook

PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}"
BLOCKED = "Blocked by hook"
SILENT = "No stderr output"
_REFUSES = 2  # the exit code that denies
_DECISIONS = {"allow": ALLOW, "ask": ASK, "deny": DENY, "defer": DENY}
_OLD = {"approve": ALLOW, "block": DENY}


def answer_of(loaded: LoadedHook, name: str, outcome: HookOutcome) -> HookAnswer:
    if loaded.hook.type in ("prompt", "agent"):
        return _model_answer(loaded, outcome)
    rest = _without_mark(outcome.stdout)
    if rest is not None:  # Claude Code would not have waited for it
        return _answer(loaded, name, outcome.replace(stdout=rest)).replace(rule=1)
    return _answer(loaded, name, outcome)


def _answer(loaded: LoadedHook, name: str, outcome: HookOutcome) -> HookAnswer:
    text = outcome.stdout
    whole = whole_object(text)
    flaw = "" if whole is None else flaw_in(whole, name)
    sound = whole if whole is not None and not flaw else None
    answer = _sound(sound or {}, name)
    if name == "PermissionRequest":
        return _permission(answer, outcome, text)
    if outcome.exit == _REFUSES:
        why = answer.why if answer.decision == DENY else f"[{shown(loaded)}]: {outcome.stderr or SILENT}"
        extra = {**answer.extra, "by exit": answer.decision != DENY}
        return answer.replace(decision=DENY, why=why, input=None, extra=extra)
    if answer.decision == DENY and not outcome.ended:
        return answer.replace(rule=2) if TAKEN_BACK in (sound or ()) else answer
    reason = denial_among(objects_in(text if text.strip() else outcome.stderr))
    is_news = not (flaw and loaded.hook.on_failure == "block")  # else Claude Code blocks too, and says why
    if reason is not None and is_news:
        return _late(answer, reason or BLOCKED)
    if outcome.exit != 0 or outcome.ended:
        return HookAnswer(failure=failure_of(loaded, outcome), message=answer.message, rule=1)
    if flaw or (sound is None and is_attempt(text)):
        problem = outcome.replace(stderr=flaw or "its output looks like JSON and is none", ended=NO_ANSWER)
        failure = failure_of(loaded, problem)
        explained = f"{failure}\n\n{shape_of(whole or {}, name)}" if flaw else ""
        return HookAnswer(why=explained, failure=failure, rule=1)
    return answer if sound is not None else answer.replace(extra={"plain": text.strip()})


def _late(answer: HookAnswer, reason: str) -> HookAnswer:
    """A denial that Claude Code would not have seen."""
    return HookAnswer(DENY, reason, context=answer.context, message=answer.message, stop=answer.stop, rule=2)


def _sound(fields: JsonObject, name: str) -> HookAnswer:
    """Of an answer without a flaw."""
    inner = fields.get("hookSpecificOutput") or {}
    decision = _DECISIONS.get(str(inner.get("permissionDecision")), "") if name == "PreToolUse" else ""
    old = _OLD.get(fields.get("decision", ""), "")
    if DENY in (old, decision):
        decision = DENY
    own = inner.get("permissionDecisionReason") if inner.get("permissionDecision") != "allow" or old != DENY else ""
    why = str(own or fields.get("reason") or (BLOCKED if decision == DENY else ""))
    is_deferred = name == "PreToolUse" and inner.get("permissionDecision") == "defer"
    stop = str(fields.get("stopReason") or "") if fields.get("continue") is False or is_deferred else None
    context = inner.get("additionalContext")
    extra = {key: inner[key] for key in _EXTRA if key in inner}
    if is_deferred:
        extra[DEFERRED] = True
    return HookAnswer(
        decision or old,
        why,
        inner.get("updatedInput") if name == "PreToolUse" else None,
        (context,) if context else (),
        str(fields.get("systemMessage") or ""),
        stop,
        inner.get("updatedToolOutput"),
        extra or EMPTY,
        rule=2 if stop is not None and name == "PostToolUseFailure" else 0,  # Claude Code itself goes on
    )


_EXTRA = ("decision", "updatedMCPToolOutput", "action", "content", "sessionTitle")


def _permission(answer: HookAnswer, outcome: HookOutcome, text: str) -> HookAnswer:
    """Only a decision in its own form counts, or a denial in any. A failure is no answer: the question is put."""
    given = answer.extra.get("decision")
    decision = given if isinstance(given, dict) else {}
    is_fine = outcome.exit == 0 and not outcome.ended
    reason = denial_among(objects_in(text))
    if reason is not None:
        message = decision.get("message")
        own = decision.get("behavior") == "deny" and is_fine
        return HookAnswer(DENY, str(message or reason), extra=decision or EMPTY, rule=0 if own else 2)
    if not is_fine:
        rule = 2 if decision.get("behavior") == "allow" else 0
        return HookAnswer(failure=f"it ended with {outcome.ended or outcome.exit}", rule=rule)
    changed = decision.get("updatedInput")
    allows = decision.get("behavior") == "allow" and (changed is None or isinstance(changed, dict))
    return HookAnswer(
        ALLOW if allows else "", input=changed if allows else None, message=answer.message, extra=decision
    )


def _model_answer(loaded: LoadedHook, outcome: HookOutcome) -> HookAnswer:
    """`{"ok": false, "reason": ...}` denies, and ends the session unless the hook says otherwise. An ok is no allow."""
    found = next(iter(objects_in(outcome.stdout)), {})
    if found.get("ok") is False:
        why = f"[{shown(loaded)}]: {found.get('reason') or BLOCKED}"
        is_last = not loaded.hook.continue_on_block
        stop = str(found.get("reason") or "") if is_last else None
        rule = 2 if loaded.hook.type == "agent" else 0  # Claude Code reads nothing but a tool call of that agent
        return HookAnswer(DENY, why, stop=stop, rule=rule)
    if found.get("ok") is True and outcome.exit == 0 and not outcome.ended:
        return HookAnswer()
    problem = outcome if outcome.ended else outcome.replace(stderr="the model's answer has no `ok`")
    return HookAnswer(failure=failure_of(loaded, problem), rule=1)


def failure_of(loaded: LoadedHook, outcome: HookOutcome) -> str:
    blocks = loaded.hook.on_failure == "block"
    because = 'onFailure is "block"' if blocks else "a hook that fails blocks"
    if outcome.ended == TIMEOUT:
        return f"[{shown(loaded)}]: timed out; blocking because {because}"
    detail = outcome.stderr.strip() or SILENT
    if loaded.hook.type == "http" and detail.startswith("HTTP "):
        detail = f"{detail} from {loaded.hook.url}"
    return f"[{shown(loaded)}]: failed; blocking because {because}\n{detail}"


def shown(loaded: LoadedHook) -> str:
    """The hook as Claude Code names it to the model."""
    hook = loaded.hook
    if hook.type != "command":
        return hook.command
    text = " ".join((hook.command, *(hook.args or ())))
    return text.replace(PLUGIN_ROOT, loaded.folder) if loaded.folder else text


def _without_mark(text: str) -> str | None:
    """What follows a first line `{"async": true}`, by which a hook goes on in the background; None without one."""
    first, _, rest = text.partition("\n")
    found = whole_object(first) if "async" in first else None
    return rest if found is not None and found.get("async") is True else None
