"""Shows what hooks did with an event: the verdict first, then what each got and said."""

from __future__ import annotations

import json

from pisces.gates.hooks.hook_place import shown_place
from pisces.ui.screen import visible
from pisces.ui.width import broken, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._hook_host import FiredEvent
    from pisces.cli._shell_command import Places, Screen
    from pisces.gates.hooks.firing import HookRun

_LONGEST = 400
_WORDS = {"allow": "allowed", "ask": "asked", "deny": "blocked", "": "done"}


def verdict_line(fired: FiredEvent, places: Places) -> str:
    said = f" by {visible(fired.who.replace(places.home, '~'))}" if fired.who else ""
    why = f": {visible(' '.join(fired.why.split()))}" if fired.why else ""
    return f"{_WORDS[fired.decision]}{said}{why}"


def show_fired(fired: FiredEvent, places: Places, screen: Screen) -> None:
    screen.lines(broken(f"{fired.event.NAME}: {verdict_line(fired, places)}", screen.width))
    for number, run in enumerate(fired.runs, 1):
        for line in _run_lines(number, run, places):
            screen.lines(broken(line, screen.width))
    if not fired.runs:
        screen.note("no hook fired")


def _run_lines(number: int, run: HookRun, places: Places) -> Iterator[str]:
    hook = run.loaded.hook
    yield f"  {number}. {run.name}  {visible(cut(hook.command, _LONGEST))}"
    yield f"     from  {visible(places.shown(shown_place(run.loaded)))}"
    yield f"     got   {visible(cut(json.dumps(run.payload, ensure_ascii=False, default=str), _LONGEST))}"
    yield f"     ended {_end(run)}"
    for name, text in (("out", run.outcome.stdout), ("err", run.outcome.stderr)):
        if text.strip():
            yield f"     {name}   {visible(cut(' '.join(text.split()), _LONGEST))}"
    yield f"     means {visible(_meaning(run))}"


def _end(run: HookRun) -> str:
    how = run.outcome.ended or f"exit {run.outcome.exit}"
    return f"{how}, {run.seconds:.2f} s"


def _meaning(run: HookRun) -> str:
    answer = run.answer
    if answer.failure:
        return f"no usable answer: {answer.failure}"
    said = f"{answer.decision}: {answer.why}".rstrip(": ") if answer.decision else "nothing"
    return f"{said}, another input" if answer.input is not None else said
