"""The hooks of a session by event, and which of them fire. An event without hooks costs two lookups."""

from __future__ import annotations

from pisces.gates.hooks.firing import CONTINUE, Occasion
from pisces.gates.hooks.loaded_dialects import dialect_of
from pisces.shapes.events.tools import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from pisces.gates.hooks.dialect import Dialect, LoadedHook
    from pisces.shapes.event import Event
    from pisces.shapes.session_facts import SessionFacts

    Chosen = list[tuple[Occasion, list[LoadedHook]]]


class HookIndex:
    def __init__(self) -> None:
        self.loaded: tuple[LoadedHook, ...] = ()
        self._dialects: dict[str, Dialect] = {}
        self._by_event: dict[tuple[str, str], list[LoadedHook]] = {}

    def add(self, loaded: Iterable[LoadedHook]) -> None:
        """One that is there already is not added: a skill may be used twice."""
        known = {_identity(each) for each in self.loaded}
        for each in loaded:
            dialect = dialect_of(each.hook.dialect)
            if dialect is not None and _identity(each) not in known:
                self.loaded += (each,)
                self._dialects[each.hook.dialect] = dialect
                self._by_event.setdefault((each.hook.dialect, each.hook.event), []).append(each)

    def remove(self, loaded: LoadedHook) -> None:
        """It has run, and runs once."""
        key = loaded.hook.dialect, loaded.hook.event
        self._by_event[key] = [each for each in self._by_event[key] if each is not loaded]

    def occasions(self, event: Event, facts: SessionFacts) -> Chosen:
        """For each dialect and its name of the event: the hooks that fire, the same command once."""
        found: Chosen = []
        for name, dialect in self._dialects.items():
            for own_name in dialect.names(event):
                hooks = self._by_event.get((name, own_name), ())
                firing = [each for each in hooks if _fires(each, dialect, event, facts)]
                if firing:
                    found.append((Occasion(dialect, own_name, event, facts), _each_once(firing)))
        return found

    def may_fire(self, event: Event, facts: SessionFacts) -> bool:
        """The same without regard to the agent, which is not known before the call is."""
        return any(
            loaded.agent or _fires(loaded, dialect, event, facts)
            for name, dialect in self._dialects.items()
            for own_name in dialect.names(event)
            for loaded in self._by_event.get((name, own_name), ())
        )


def _identity(loaded: LoadedHook) -> tuple[Any, ...]:
    return loaded.hook.path, loaded.hook.keys, loaded.agent


def _fires(loaded: LoadedHook, dialect: Dialect, event: Event, facts: SessionFacts) -> bool:
    if loaded.agent and loaded.agent != (facts.agent or getattr(event, "agent", "")):
        return False
    try:
        parts = dialect.parts(event) if isinstance(event, ToolCall) else (event,)
        return any(dialect.fires(loaded, each, facts) for each in parts)
    except Exception:  # noqa: BLE001  # a matcher is somebody's text: what cannot be matched fires
        return True


def _each_once(hooks: list[LoadedHook]) -> list[LoadedHook]:
    """The same command twice runs once: the one whose failure blocks, and of those the one that may say more."""
    found: dict[tuple[Any, ...], LoadedHook] = {}
    for loaded in sorted(hooks, key=lambda each: (each.hook.on_failure == CONTINUE, each.is_narrowing)):
        hook = loaded.hook
        kind = (hook.type, str(hook.command), hook.args, hook.shell, str(hook.env), hook.cwd)
        found.setdefault((*kind, hook.server, str(hook.input), str(hook.headers), loaded.folder, loaded.flaw), loaded)
    chosen = {id(each) for each in found.values()}
    return [each for each in hooks if id(each) in chosen]
