"""One answer of a model beside the conversation: for hooks that are questions, for servers, for modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.agent.asking import asked
from pisces.agent.loop import LoopActions
from pisces.models.wire import ModelAsk
from pisces.session.module_messages import chat_messages, spelled
from pisces.shapes.message import BY_USER, ChatMessage, TextPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.gates.hooks.run_callback import ModelQuestion
    from pisces.models.model import Model
    from pisces.models.wire import ModelAnswer
    from pisces.session.session import Session


async def answer_to_question(session: Session, question: ModelQuestion) -> str:
    """Without tools: a hook that wants an agent gets the answer of a model that knows what the hook says."""
    model = _wanted(session, question.model)
    ask = ModelAsk("", (ChatMessage(BY_USER, (TextPart(question.prompt),)),))
    return (await _answer(session, model, ask)).message.text


async def completed(session: Session, context: Mapping[str, Any], options: Mapping[str, Any], name: str) -> Any:
    """For modules: `{"systemPrompt": ..., "messages": [...]}` becomes a message of the assistant."""
    model = _wanted(session, name)
    most: Any = options.get("maxTokens")
    messages = chat_messages(context.get("messages"))
    ask = ModelAsk("", messages, str(context.get("systemPrompt") or ""), most_tokens=most if _is_count(most) else 0)
    answer = await _answer(session, model, ask)
    return {
        **spelled(answer.message)[0],
        "provider": model.facts.provider,
        "model": model.facts.id,
        "usage": answer.usage.as_json(),
        "stopReason": {"end": "stop", "calls": "toolUse"}.get(answer.stop, answer.stop),
    }


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _wanted(session: Session, name: str) -> Model:
    """The model of the session, unless another one is named and at hand. Raises `PiscesError`."""
    own = session.need_model()
    if not name or name in (own.facts.id, own.facts.name):
        return own
    return session.models.named(name) or own


async def _answer(session: Session, model: Model, ask: ModelAsk) -> ModelAnswer:
    answer = await asked(_quiet(model), ask)
    session.spend_beside(answer.usage, model)
    return answer


def _quiet(model: Model) -> LoopActions:
    """For one request that is no part of the conversation."""

    async def emit(event: Any) -> Any:
        return event

    async def nothing(*_given: Any) -> Any: ...

    return LoopActions(lambda: model, nothing, nothing, nothing, tuple, nothing, emit)
