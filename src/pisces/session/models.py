"""The models that a session has made by name, and how it gets another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.shapes.events.provider import BeforeModelSwitch, ModelSelect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.models.model import Model, ModelFacts
    from pisces.session.session import Session


class SessionModels:
    """Closed with the session: an answer may still come from one that was replaced."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._made: dict[str, Model] = {}

    def named(self, name: str) -> Model | None:
        """None where its key is missing or nobody knows it."""
        if name not in self._made:
            try:
                made: Model | None = export_of("pisces.models", "choosing", "chosen_model")(name, self._session.places)
            except PiscesError:
                return None
            if made is None:
                return None
            self._made[name] = made
        return self._made[name]

    async def switch(self, name: str, source: str = "set") -> str:
        """Chooses another model; why not, or an empty text. Raises `PiscesError` for one that nobody knows."""
        made = self._made.get(name) or export_of("pisces.models", "choosing", "chosen_model")(
            name, self._session.places
        )
        if made is None:
            return f"there is no key for `{name}`"
        self._made[name] = made
        return await self.use(made, source, name)

    async def use(self, model: Model, source: str = "set", requested: str = "") -> str:
        session = self._session
        before = None if session.model is None else module_model(session.model.facts)
        now = module_model(model.facts)
        switch = await session.emit(BeforeModelSwitch(now, before, source, requested or model.facts.name))
        if switch.cancelled:
            return switch.reason or "an extension keeps the model as it is"
        session.model = model
        session.host.renew_facts(model=model.facts.name)
        session.transcript.append("model", {"model": model.facts.name})
        await session.emit(ModelSelect(now, before, source))
        return ""

    async def close(self) -> None:
        for each in self._made.values():
            await each.close()
        self._made.clear()


def module_model(facts: ModelFacts) -> Mapping[str, Any]:
    """A model as modules know it."""
    return {
        "provider": facts.provider,
        "id": facts.id,
        "name": facts.name,
        "contextWindow": facts.window,
        "maxTokens": facts.most_output,
        "input": ["text", "image"] if facts.has_images else ["text"],
    }


def model_name(model: Any) -> str:
    """The name that a module means: a text, or a mapping with `provider` and `id`."""
    if isinstance(model, dict):
        return "/".join(str(model[name]) for name in ("provider", "id") if model.get(name))
    return str(model or "")
