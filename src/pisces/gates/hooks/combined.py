"""One verdict about a tool call from the answers of all hooks: deny beats ask beats allow, two changes deny."""

from __future__ import annotations

from pisces.gates.hooks.dialect import DEFERRED
from pisces.gates.hooks.hook_place import shown_place
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.formats.json_keywords import SchemaMisfit
    from pisces.gates.hooks.firing import HookRun, Occasion
    from pisces.shapes.request import ToolRequest

    Fired = Sequence[tuple[Occasion, Sequence[HookRun]]]
    Fit = Callable[[ToolCall], ToolCall | Sequence[SchemaMisfit]]  # as its tool takes it, or why it does not


AGAIN = 3  # our rule (docs/conformance.md): all see the input that runs
CONFLICT = "two hooks changed the input in different ways"
ONE_OF_SEVERAL = "a hook changed what the call does to one file of several"


def denial_in(fired: Fired) -> Verdict | None:
    """Which denial the model hears of is for the dialect; a hook that failed is named only if none denied."""
    denied = [(occasion, run) for occasion, runs in fired for run in runs if run.answer.decision == DENY]
    failed = [(occasion, run) for occasion, runs in fired for run in runs if run.answer.failure]
    if not denied and not failed:
        return None
    final = [each for each in denied if not each[1].answer.extra.get(DEFERRED)]
    chosen = final or denied or failed
    occasion = chosen[0][0]
    of_these = {id(run.loaded): run for each, run in chosen if each is occasion}
    loaded, answer = occasion.dialect.as_one([(run.loaded, run.answer, run.seconds) for run in of_these.values()])
    why = occasion.dialect.refusal(loaded, occasion.event, answer)
    return Verdict(DENY, _who(of_these[id(loaded)]), why, rule=min(_rule(*each) for each in denied or failed))


def changed_by(request: ToolRequest, fired: Fired, fit: Fit) -> ToolRequest | Verdict | None:
    """The call with another input; None if no hook changes it. Of two different changes nobody knows which is meant."""
    call: ToolCall = request.call
    changes: list[tuple[HookRun, ToolCall]] = []
    for occasion, runs in fired:
        is_row = occasion.dialect.is_sequential([run.loaded for run in runs])
        of_these = [(run, run.answer.input) for run in runs if run.answer.input is not None]
        for run, given in of_these[-1:] if is_row else of_these:
            part = occasion.event
            if not isinstance(part, ToolCall):
                continue
            try:
                made = part.replace(input=occasion.dialect.input_from(part.tool, given, part.input))
            except ValueError as error:
                return Verdict(DENY, _who(run), str(error))
            if part is not call and not made.runs_as(part):
                return Verdict(DENY, _who(run), f"{call.tool}: {ONE_OF_SEVERAL}", rule=AGAIN)
            taken = fit(made) if part is call else call
            if not isinstance(taken, ToolCall):
                return Verdict(DENY, _who(run), occasion.dialect.unfit(occasion.name, made, taken))
            changes.append((run, taken))
    changed = [each for each in changes if not each[1].runs_as(call)]
    if not changed:
        return None
    other = next((run for run, each in changed if not each.runs_as(changed[0][1])), None)
    if other is not None:
        who = f"{_who(changed[0][0])}, {_who(other)}"
        return Verdict(DENY, who, f"{call.tool}: {CONFLICT}", rule=AGAIN)
    return request.replace(call=changed[0][1])


def strictest_of(fired: Fired) -> Verdict | None:
    runs = [(occasion, run) for occasion, each in fired for run in each]
    for occasion, run in runs:
        if run.answer.decision == ASK:
            why = run.answer.why or occasion.dialect.refusal(run.loaded, occasion.event, run.answer)
            return Verdict(ASK, _who(run), why, rule=_rule(occasion, run))
    allowed = next((run for _, run in runs if run.answer.decision == ALLOW), None)
    return None if allowed is None else Verdict(ALLOW, _who(allowed), allowed.answer.why)


def _rule(occasion: Occasion, run: HookRun) -> int:
    """By which of our rules this is stricter than the harness of the hook."""
    return run.answer.rule or run.loaded.rule or occasion.rule


def _who(run: HookRun) -> str:
    return f"{run.name} hook in {shown_place(run.loaded)}"
