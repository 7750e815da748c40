"""A model that follows a script, for tests, examples and the tour: no network, no key, the same answer every time."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.models.model import ModelFacts
from pisces.models.wire import CALLS, END, CallDelta, ModelAnswer, ModelFailed, TextDelta, ThinkingDelta, Usage
from pisces.shapes.message import BY_MODEL, CallPart, ChatMessage, ResultPart, TextPart, ThinkingPart

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable
    from typing import TypeAlias

    from pisces.models.model import AnswerStream
    from pisces.models.wire import Delta, ModelAsk
    from pisces.places import Places
    from pisces.shapes.message import MessagePart

    ScriptedStep: TypeAlias = str | CallPart | ThinkingPart
    ScriptedTurn: TypeAlias = "str | tuple[ScriptedStep, ...] | ModelFailed | Callable[[ModelAsk], ScriptedTurn]"

FACTS = ModelFacts("scripted-1", "scripted", "scripted", window=100_000)
SCRIPT = Rule("model-script", ERROR, "The script of a scripted model cannot be read")
_DONE = "done"


class ScriptedAnswer:
    def __init__(self, answer: ModelAnswer, pace: float) -> None:
        self._answer, self._pace = answer, pace

    async def __aiter__(self) -> AsyncIterator[Delta]:
        for part in self._answer.message.parts:
            for delta in _deltas(part):
                if self._pace:
                    await asyncio.sleep(self._pace)
                yield delta

    def whole(self) -> ModelAnswer:
        return self._answer


class ScriptedModel:
    """`turns` are answered in their order, then with `done`. A text, parts, a failure, or a function of the request.

    `asked` has every request. `pace` is the time between two words, for people who watch.
    """

    def __init__(self, turns: Iterable[ScriptedTurn] = (), pace: float = 0.0, facts: ModelFacts = FACTS) -> None:
        self._turns = iter(turns)
        self._pace = pace
        self.facts = facts
        self.asked: list[ModelAsk] = []

    @asynccontextmanager
    async def answering(self, ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        self.asked.append(ask)
        step = next(self._turns, _DONE)
        while callable(step):
            step = step(ask)
        if isinstance(step, ModelFailed):
            raise step
        yield ScriptedAnswer(_answer(step, ask), self._pace)

    async def close(self) -> None:
        """There is nothing to close."""


def _answer(step: str | tuple[ScriptedStep, ...], ask: ModelAsk) -> ModelAnswer:
    steps = (step,) if isinstance(step, str) else step
    parts: tuple[MessagePart, ...] = tuple(TextPart(each) if isinstance(each, str) else each for each in steps)
    message = ChatMessage(BY_MODEL, parts, "scripted")
    said = sum(
        len(part.text) for each in ask.messages for part in each.parts if isinstance(part, TextPart | ResultPart)
    )
    written = sum(len(part.text) for part in parts if isinstance(part, TextPart))
    usage = Usage((len(ask.system) + said) // 4 + 1, written // 4 + 1)
    return ModelAnswer(message, CALLS if message.calls else END, usage, ask.model)


def _deltas(part: MessagePart) -> Iterable[Delta]:
    if isinstance(part, TextPart):
        for word in _words(part.text):
            yield TextDelta(word)
    elif isinstance(part, ThinkingPart):
        yield ThinkingDelta(part.text)
    elif isinstance(part, CallPart):
        yield CallDelta(part.id, part.name)


def _words(text: str) -> Iterable[str]:
    """Each with the spaces behind it."""
    start = 0
    for at in range(1, len(text)):
        if text[at - 1] in " \n" and text[at] not in " \n":
            yield text[start:at]
            start = at
    if text[start:]:
        yield text[start:]


def model_of_script(path: str, places: Places) -> ScriptedModel:
    """`scripted/PATH`: a JSON file with `turns`, and `pace` in seconds. Raises `PiscesError`.

    A turn is a text, `{"error": "...", "status": 500, "passing": true}`, or a list of texts,
    `{"call": "read", "input": {...}}` and `{"thinking": "..."}`.
    """
    path = places.absolute(path)
    try:
        with open(path, encoding="utf-8") as file:
            script = json.load(file)
        turns = [scripted_answer(at, each) for at, each in enumerate(script["turns"])]
        return ScriptedModel(turns, float(script.get("pace", 0.0)))
    except OSError as error:
        raise PiscesError(SCRIPT.at(path, f"cannot be read: {error.strerror}")) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        hint = 'as in {"turns": ["hello", [{"call": "read", "input": {"path": "a.txt"}}]]}'
        raise PiscesError(SCRIPT.at(path, f"is no script of a model: {error!r}", hint=hint)) from None


def scripted_answer(index: int | str, value: Any) -> ScriptedTurn:
    """A turn as it is in a script. `index` makes ids of calls unique."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return ModelFailed(str(value["error"]), int(value.get("status", 0)), is_passing=bool(value.get("passing")))
    return tuple(_step_of(f"call_{index}_{at}", each) for at, each in enumerate(value))


def _step_of(call_id: str, value: Any) -> ScriptedStep:
    if isinstance(value, str):
        return value
    if "thinking" in value:
        return ThinkingPart(str(value["thinking"]))
    return CallPart(call_id, str(value["call"]), dict(value.get("input", {})))
