"""What one harness's hooks get, and what their answers mean. Each harness with such hooks has `DIALECT` in `hooks.py`.

Everything here is pure: the engine (`engine.py`) starts what a dialect describes, and combines the answers.
"""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from pisces.discovery.found import Source
    from pisces.formats.json_keywords import SchemaMisfit
    from pisces.shapes.event import Event
    from pisces.shapes.events.tools import ToolCall
    from pisces.shapes.hook import Hook
    from pisces.shapes.note import Note
    from pisces.shapes.session_facts import SessionFacts

DEFERRED = "deferred"  # in `extra` of a denial: the session ends with the call pending, unless another hook denies
TIMEOUT, SIGNAL, NOT_STARTED, TOO_LONG, NO_ANSWER = "timeout", "signal", "not started", "too much output", "no answer"


class LoadedHook(Value):
    """A hook that fires. `line` is where its file has it. What a project brings cannot allow or answer anything.

    `difference` says what changed since the user agreed to the hook, empty if nothing did: it is asked before each run.
    `flaw` is why the hook cannot run at all, so that its guards block. `rule` is the number of our rule by which it
    fires though its harness would not run it, 0 if there is none. With an `agent` it fires inside that subagent only.
    """

    hook: Hook
    source: Source
    package: str = ""
    folder: str = ""  # of the package
    line: int = 0
    is_narrowing: bool = False
    difference: Callable[[], str] | None = None
    flaw: str = ""
    rule: int = 0
    agent: str = ""


class HookOutcome(Value):
    """How one run of a hook ended: of a program, a request, a tool of a server, or a question to a model.

    `exit` is None where there is no exit code; then `ended` says why. A request that succeeded has the exit code 0 and
    the body as `stdout`.
    """

    exit: int | None
    stdout: str = ""
    stderr: str = ""
    ended: str = ""


class HookAnswer(Value):
    """What one hook said, in the words of no harness.

    `decision` is allow, ask, deny or empty. `why` is the hook's own reason. `input` replaces the tool's input, in the
    dialect's own names. `context` is for the model, `message` for the user; `stop` is the reason to end the session, or
    None. `output` replaces the result of a tool. `extra` has what only one dialect knows.

    `failure` says why there is no usable answer: it blocks where the event can be blocked. `rule` is the number of our
    rule (docs/conformance.md) that makes the answer stricter than the harness itself would, 0 if none does.
    """

    decision: str = ""
    why: str = ""
    input: Mapping[str, Any] | None = None
    context: tuple[str, ...] = ()
    message: str = ""
    stop: str | None = None
    output: Any = None
    extra: Mapping[str, Any] = EMPTY
    failure: str = ""
    rule: int = 0


class Start(Value):
    """How a hook's program is started. `env` is added to the environment that every child gets.

    `env_file` is the variable that gets the path of a file in which the hook may leave lines `export NAME=value`.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    seconds: float
    env_file: str = ""


if TYPE_CHECKING:

    class Dialect(Protocol):
        def names(self, event: Event) -> tuple[str, ...]:
            """The harness's own names for this event, such as `PreToolUse`; none if it does not have it."""
            ...

        def fires(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> bool:
            """Matcher and condition. What cannot be understood fires for everything."""
            ...

        def payload(self, name: str, event: Event, facts: SessionFacts) -> dict[str, Any]:
            """The JSON that the hook gets."""
            ...

        def parts(self, call: ToolCall) -> tuple[ToolCall, ...]:
            """What the harness would see as several calls, such as a patch of several files. Hooks judge each."""
            ...

        def start(self, loaded: LoadedHook, name: str, facts: SessionFacts) -> Start: ...

        def seconds(self, loaded: LoadedHook, name: str) -> float:
            """Its time limit, whatever its type."""
            ...

        def answer(self, loaded: LoadedHook, name: str, outcome: HookOutcome) -> HookAnswer: ...

        def refusal(self, loaded: LoadedHook, event: Event, answer: HookAnswer) -> str:
            """What the model is told of a denial."""
            ...

        def as_one(self, denials: Sequence[tuple[LoadedHook, HookAnswer, float]]) -> tuple[LoadedHook, HookAnswer]:
            """Of several denials the one that the model hears of, or all as one. The number is how long a hook took."""
            ...

        def can_block(self, name: str) -> bool:
            """Whether an answer to this event of the harness can stop something. A hook that fails there stops it."""
            ...

        def notes(self, event: Event, name: str, answers: Sequence[tuple[LoadedHook, HookAnswer]]) -> tuple[Note, ...]:
            """What the answers say beside their decision, in the words that the harness itself uses."""
            ...

        def changed(self, event: Event, name: str, answers: Sequence[tuple[LoadedHook, HookAnswer]]) -> Event:
            """The event as the answers change it, other than a tool call: blocked, with notes, another result."""
            ...

        def rule(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> int:
            """The number of our rule by which it fires though the harness itself would not; 0 if it would."""
            ...

        def passed_on(self, event: Event, name: str, answer: HookAnswer) -> Event:
            """The event as the next hook of a row gets it, after this one answered."""
            ...

        def is_sequential(self, loaded: Sequence[LoadedHook]) -> bool: ...

        def own_call(self, tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
            """A call of any vocabulary in the harness's own: `run_shell_command` is `Bash` for some."""
            ...

        def input_from(
            self, tool: str, given: Mapping[str, Any], before: Mapping[str, Any] = EMPTY
        ) -> Mapping[str, Any]:
            """The other way: an input in the harness's own names for the tool as it was called with `before`.

            Raises `ValueError` with what the model is told, where the tool cannot be called so.
            """
            ...

        def unfit(self, name: str, call: ToolCall, misfits: Sequence[SchemaMisfit]) -> str:
            """What the model is told of a hook of the event `name` whose input for the call does not fit the tool."""
            ...
