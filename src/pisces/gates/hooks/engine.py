"""The hooks of one session: they fire for an event, all at once, and their answers become one.

Before a tool runs: deny beats ask beats allow, whatever the order and the speed, and only after all have answered. A
hook that gives no usable answer denies. After a change of the input every hook is asked again about the new one, up to
`ROUNDS` times; two different changes deny. At other events each dialect says what its answers change.
"""

from __future__ import annotations

import asyncio
import os

from pisces.formats.json_copy import same_json
from pisces.gates.hooks.combined import AGAIN, changed_by, denial_in, strictest_of
from pisces.gates.hooks.dialect import HookAnswer, LoadedHook
from pisces.gates.hooks.firing import Firing, HookCallbacks, HookRun, Occasion, closed_run
from pisces.gates.hooks.hook_index import HookIndex
from pisces.gates.hooks.stop_limit import StopLimit
from pisces.shapes.events.permissions import PermissionAsked
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.note import CONTEXT, Note
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import DENY, Judged, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from pisces.gates.hooks.combined import Fit
    from pisces.shapes.event import Event
    from pisces.shapes.session_facts import SessionFacts

    E = TypeVar("E", bound=Event)

ROUNDS = 3  # how often hooks are asked again after a change
MOST_IN_BACKGROUND = 32
CHANGED_AGAIN = f"hooks changed the input again and again, {ROUNDS} times after all had been asked"


class HookSet:
    """`facts` is called for each event: the current folder moves, and so do other things. Close it at the end."""

    def __init__(
        self,
        loaded: Iterable[LoadedHook],
        facts: Callable[[], SessionFacts],
        env: Mapping[str, str],
        callbacks: HookCallbacks = HookCallbacks(),  # noqa: B008  # a value, never changed
    ) -> None:
        self._index = HookIndex()
        self._index.add(loaded)
        self._facts = facts
        self._firing = Firing(env, callbacks)
        self._running: set[asyncio.Task[Any]] = set()
        self._background: set[asyncio.Task[Any]] = set()
        self._is_closed = False
        self._late: list[Note] = []
        self._stops = StopLimit()

    @property
    def loaded(self) -> tuple[LoadedHook, ...]:
        return self._index.loaded

    @property
    def env_files(self) -> tuple[str, ...]:
        """Shell files with variables that hooks left for later commands, in their order. They end with `close`."""
        return tuple(path for path in self._firing.env_files if os.path.exists(path))

    def add(self, loaded: Iterable[LoadedHook]) -> None:
        """Hooks that come later, such as those of a skill when it is used."""
        self._index.add(loaded)

    def replace(self, before: Iterable[LoadedHook], after: Iterable[LoadedHook]) -> None:
        """Other hooks instead of those `before`. The ones that came later, with a skill, stay."""
        gone = set(map(id, before))
        later = [each for each in self._index.loaded if id(each) not in gone]
        self._index = HookIndex()
        self._index.add((*after, *later))

    def late_notes(self) -> tuple[Note, ...]:
        """What hooks in the background have said since the last time."""
        notes, self._late = tuple(self._late), []
        return notes

    def fires(self, event: Event) -> bool:
        """Whether a hook may have a word about it, in whatever agent it happens."""
        return bool(self._index.loaded) and self._index.may_fire(event, self._facts())

    async def judged(
        self, request: ToolRequest, notes: list[Note], fit: Fit = lambda call: call
    ) -> Verdict | ToolRequest | Judged | None:
        """What the hooks make of a tool call: a verdict, another input, both, or nothing. `notes` gets what they say.

        The last input has been seen by every hook. `fit` knows the tool.
        """
        if not self._index.loaded:
            return None
        given, facts = request, self._facts_of(request)
        for number in range(1 + ROUNDS):
            fired = await self._judges(request.call, facts, AGAIN if number else 0)
            denial = denial_in(fired)
            changed = None if denial else changed_by(request, fired, fit)
            if denial is None and isinstance(changed, ToolRequest):
                request = changed
                continue
            for occasion, runs in fired:
                notes.extend(occasion.dialect.notes(occasion.event, occasion.name, _answers(runs)))
            verdict = denial or changed or strictest_of(fired)
            assert not isinstance(verdict, ToolRequest)
            if request is given:
                return verdict
            return request if verdict is None else Judged(request, verdict)
        return Verdict(DENY, "hooks", CHANGED_AGAIN, rule=AGAIN)

    async def emit(self, event: E, facts: SessionFacts | None = None, fit: Fit = lambda call: call) -> E:
        """The event as its hooks changed it. `facts` are those of the session where none are given.

        `fit` knows the tool of a question about a call, whose input hooks may change as well.
        """
        occasions = self._index.occasions(event, facts or self._facts()) if self._index.loaded else []
        if not occasions:
            return event
        for occasion, runs in await asyncio.gather(*(self._changes(each, hooks) for each, hooks in occasions)):
            event = self._after(event, occasion, runs, fit)
        return self._stops.applied(event)

    async def close(self) -> None:
        """Ends all hooks with all that they started. Calls that wait for one are denied, and so are later ones."""
        self._is_closed = True
        tasks = [*self._running, *self._background]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._firing.close()

    def _facts_of(self, request: ToolRequest) -> SessionFacts:
        facts = self._facts()
        changes = {"cwd": request.cwd, "agent": request.agent, "agent_id": request.agent_id}
        return facts.replace(**{name: value for name, value in changes.items() if value})

    @staticmethod
    def _after(event: E, occasion: Occasion, runs: list[HookRun], fit: Fit) -> E:
        changed = occasion.dialect.changed(event, occasion.name, _usable(occasion, runs))
        if isinstance(changed, PermissionAsked) and isinstance(event, PermissionAsked):
            changed = _fitting(event, changed, occasion, fit)
        return changed if isinstance(changed, type(event)) else event

    async def _judges(self, call: ToolCall, facts: SessionFacts, rule: int) -> list[tuple[Occasion, list[HookRun]]]:
        occasions = [
            (each.replace(rule=rule, event=part), hooks)
            for each, hooks in self._index.occasions(call, facts)
            for part in each.dialect.parts(call)
        ]
        if not occasions:
            return []
        runs = await asyncio.gather(*(self._all(hooks, each) for each, hooks in occasions))
        return [(occasion, each) for (occasion, _), each in zip(occasions, runs, strict=True)]

    async def _changes(self, occasion: Occasion, hooks: Sequence[LoadedHook]) -> tuple[Occasion, list[HookRun]]:
        waited: list[LoadedHook] = []
        later: list[LoadedHook] = []
        for each in hooks:
            is_later = (each.hook.is_async or each.hook.async_rewake) and not occasion.dialect.can_block(occasion.name)
            (later if is_later else waited).append(each)
        for each in later:
            self._start_in_background(each, occasion)
        return occasion, await self._all(waited, occasion)

    async def _all(self, hooks: Sequence[LoadedHook], occasion: Occasion) -> list[HookRun]:
        if occasion.dialect.is_sequential(hooks):
            return await self._one_by_one(hooks, occasion)
        return list(await asyncio.gather(*(self._run(each, occasion) for each in hooks)))

    async def _one_by_one(self, hooks: Sequence[LoadedHook], occasion: Occasion) -> list[HookRun]:
        """Each sees the input as those before left it. A denial ends the row."""
        runs: list[HookRun] = []
        for each in hooks:
            run = await self._run(each, occasion)
            runs.append(run)
            if run.answer.decision == DENY or run.answer.failure:
                break
            occasion = occasion.replace(event=occasion.dialect.passed_on(occasion.event, occasion.name, run.answer))
        return runs

    async def _run(self, loaded: LoadedHook, occasion: Occasion) -> HookRun:
        """In a task of its own, which `close` can end without ending the caller."""
        if self._is_closed:
            return closed_run(loaded, occasion)
        task = self._task(self._firing.run(loaded, occasion), self._running)
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait((task,))
            raise
        run = closed_run(loaded, occasion) if task.cancelled() else task.result()
        # Only in the header of a skill or an agent, and not for one that refused something.
        is_fine = not run.answer.failure and run.answer.decision != DENY
        if is_fine and loaded.hook.once and loaded.hook.path.endswith(".md"):
            self._index.remove(loaded)
        return run

    @staticmethod
    def _task(work: Coroutine[Any, Any, Any], tasks: set[asyncio.Task[Any]]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, name="pisces: hook")
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return task

    def _start_in_background(self, loaded: LoadedHook, occasion: Occasion) -> None:
        if len(self._background) >= MOST_IN_BACKGROUND:
            self._firing.report(loaded, f"{MOST_IN_BACKGROUND} hooks run in the background already")
            return
        if not self._is_closed:
            self._task(self._finish(loaded, occasion), self._background)

    async def _finish(self, loaded: LoadedHook, occasion: Occasion) -> None:
        run = await self._firing.run(loaded, occasion)
        if loaded.hook.async_rewake and run.answer.decision == DENY:
            text = run.answer.why or loaded.hook.rewake_message
            self._late.append(Note(CONTEXT, text, loaded.hook.command))


def _answers(runs: Iterable[HookRun]) -> list[tuple[LoadedHook, HookAnswer]]:
    return [(run.loaded, run.answer) for run in runs]


def _usable(occasion: Occasion, runs: Iterable[HookRun]) -> list[tuple[LoadedHook, HookAnswer]]:
    """A failure means nothing to an event that nothing can stop."""
    if occasion.dialect.can_block(occasion.name):
        return _answers(runs)
    return [(loaded, HookAnswer() if answer.failure else answer) for loaded, answer in _answers(runs)]


def _fitting(before: PermissionAsked, asked: PermissionAsked, occasion: Occasion, fit: Fit) -> PermissionAsked:
    """A question about a call whose input was changed: as the tool takes it, or denied where it does not fit."""
    if same_json(before.input, asked.input):
        return asked
    call = ToolCall(asked.tool, "", asked.input)
    taken = fit(call)
    if isinstance(taken, ToolCall):
        return asked.replace(input=taken.input)
    return asked.replace(input=before.input).deny(occasion.dialect.unfit(occasion.name, call, taken))
