"""A host for `pisces hooks`: events are fired for real, and what each hook got and said is recorded."""

from __future__ import annotations

from pisces.gates.hooks.hook_place import line_of
from pisces.host.host import Host
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import MODES
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places
    from pisces.gates.hooks.firing import HookRun
    from pisces.shapes.event import Event
    from pisces.shapes.request import Request
    from pisces.shapes.verdict import Verdict

NOTHING_SAID = "nobody objects"


class FiredEvent(Value):
    """What came of one event: `decision` is allow, ask or deny for what can be stopped, else empty."""

    event: Event
    after: Event
    decision: str
    who: str
    why: str
    runs: tuple[HookRun, ...]
    verdicts: tuple[Verdict, ...] = ()

    @property
    def is_blocked(self) -> bool:
        return self.decision == DENY

    def as_json(self) -> dict[str, Any]:
        return {
            "event": self.event.NAME,
            "decision": self.decision or None,
            "who": self.who or None,
            "why": self.why or None,
            "verdicts": [{"who": each.who, "decision": each.decision, "why": each.why} for each in self.verdicts],
            "hooks": [run_json(each) for each in self.runs],
        }


def run_json(run: HookRun) -> dict[str, Any]:
    """What one hook got, how it ended, and what that means."""
    hook, outcome, answer = run.loaded.hook, run.outcome, run.answer
    return {
        "harness": run.loaded.source.harness,
        "event": run.name,
        "path": hook.path,
        "line": line_of(run.loaded) or None,
        "command": hook.command,
        "package": run.loaded.package or None,
        "stdin": dict(run.payload),
        "exit": outcome.exit,
        "ended": outcome.ended or None,
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "seconds": round(run.seconds, 3),
        "decision": answer.decision or None,
        "why": answer.why or None,
        "input": None if answer.input is None else dict(answer.input),
        "failure": answer.failure or None,
    }


def add_firing(parser: ArgumentParser) -> None:
    parser.add_argument("--mode", choices=MODES, default=MODES[0], help="the approval mode (default: ask)")
    parser.add_argument("--server", default="", metavar="NAME", help="the MCP server that a called tool is of")
    meaning = "let hooks that this project brings fire, this time"
    parser.add_argument("--trust-workspace", action="store_true", help=meaning)


async def fired(events: Sequence[Event], arguments: Namespace, places: Places) -> tuple[list[FiredEvent], Any]:
    """Each event in its turn, past everything that is here now; and what is wrong with what was found."""
    runs: list[HookRun] = []
    opening = Host.open(
        places,
        _nobody,
        packages=arguments.package or (),
        mode=arguments.mode,
        trust_workspace=arguments.trust_workspace,
        is_interactive=False,
        watch_hook=runs.append,
    )
    done: list[FiredEvent] = []
    async with opening as host:
        for event in events:
            runs.clear()
            done.append(await _fired(event, host, arguments.server, runs))
        problems = host.diagnostics
    return done, problems


async def _fired(event: Event, host: Host, server: str, runs: list[HookRun]) -> FiredEvent:
    if not isinstance(event, ToolCall):
        after = await host.emit(event)
        is_stopped = bool(getattr(after, "blocked", False) or getattr(after, "cancelled", False))
        reason = str(getattr(after, "reason", ""))
        return FiredEvent(event, after, DENY if is_stopped else "", "", reason, tuple(runs))
    judged = await host.judge(event, server=server)
    assert isinstance(judged.request, ToolRequest)
    verdict = judged.verdict
    if verdict.who == _USER and verdict.decision == DENY:
        asks = [each for each in judged.verdicts if each.decision == ASK]
        verdict = asks[0] if asks else verdict.replace(decision=ASK, who=f"approval mode {host.mode}")
    why = verdict.why or (NOTHING_SAID if verdict.decision == ALLOW else "")
    return FiredEvent(event, judged.request.call, verdict.decision, verdict.who, why, tuple(runs), judged.verdicts)


def _nobody(_request: Request, _questions: tuple[Verdict, ...]) -> bool:
    """A test asks nobody: what would be asked is shown as such."""
    return False


_USER = "user"
