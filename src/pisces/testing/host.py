"""A host without a screen whose model says what the test wrote down before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pisces.modules.headless import SCRIPTED_MODEL, Headless


class ScriptedHost(Headless):
    """`completions` are what the model answers, in order; `completed` has the requests."""

    def __init__(self, cwd: str, answers: Iterable[Any] = (), entries: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(cwd, answers, entries)
        self.session.id = "scripted"
        self.model = SCRIPTED_MODEL
        self.system_prompt = "You are a scripted session."
        self.completions: list[str | Mapping[str, Any]] = []
        self.completed: list[Mapping[str, Any]] = []

    async def complete(
        self, model: Any, context: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        """The next of `completions`, a text or a whole message; None when there are no more."""
        self.completed.append({"model": model, "context": context, "options": options})
        answer = self.completions.pop(0) if self.completions else None
        if isinstance(answer, str):
            return {"role": "assistant", "content": [{"type": "text", "text": answer}], "stopReason": "stop"}
        return answer
