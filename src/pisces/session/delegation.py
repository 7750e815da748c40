"""Subagents in a session: what it lends them, when they are loaded, and how the model learns of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.models.model import cost_of
from pisces.session.notes import shown_messages
from pisces.shapes.events.surroundings import Notification
from pisces.tools.own.agent import agent_names, offered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.agent.subagents import Subagents
    from pisces.diagnostics import Diagnostic
    from pisces.models.model import Model
    from pisces.models.wire import Usage
    from pisces.session.session import Session
    from pisces.shapes.note import Note
    from pisces.shapes.request import Request
    from pisces.shapes.tool import Tool
    from pisces.shapes.verdict import Verdict

_NOTHING = 1e-9  # dollars: a limit that is used up is no missing limit


class Delegation:
    """What runs subagents is loaded with the first of them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._subagents: Subagents | None = None
        self._cost_before = 0.0
        self.spent = 0.0  # dollars of subagents in this run of the agent

    def begin_run(self) -> None:
        """Limits of the cost are those of one run."""
        self._cost_before, self.spent = self._session.cost or 0.0, 0.0

    @property
    def subagents(self) -> Subagents:
        if self._subagents is None:
            session = self._session
            scene = export_of("pisces.agent", "subagents", "SubagentScene")(
                places=session.places,
                host=lambda: session.host,
                tools=lambda: {each.name: each for each in session.offered_tools},
                model=session.need_model,
                chosen=self._chosen,
                transcript=lambda: session.transcript,
                thinking=lambda: session.thinking,
                emit=session.emit,
                spent=self._spend,
                cost_left=self._cost_left,
                report=self._say,
                heard=self._hear,
            )
            self._subagents = export_of("pisces.agent", "subagents", "Subagents")(scene)
        return self._subagents

    async def run(self, name: str, prompt: str, context: Any = None) -> Any:
        """What the tool `agent` returns."""
        return await self.subagents.run(name, prompt, context)

    def judged(self, request: Request) -> Verdict | None:
        """The gate that holds subagents to their files."""
        return self.subagents.judged(request) if getattr(request, "agent_id", "") else None

    def approve(self, request: Request, questions: tuple[Verdict, ...]) -> Any:
        """The user's answer, about a call of a subagent as well."""
        approve = self._session.options.approve
        is_theirs = getattr(request, "agent_id", "")
        return self.subagents.asked(request, questions, approve) if is_theirs else approve(request, questions)

    def offered(self, tools: Mapping[str, Tool]) -> tuple[Tool, ...]:
        """With the names of subagents that there are now."""
        return offered(tools, agent_names(self._session.host.subagents))

    def note(self, line: str) -> str:
        """For the model, where a line of the user mentions subagents."""
        if "@" not in line:
            return ""
        note = export_of("pisces.agent", "subagent_mention", "mention_note")
        text: str = note(line, agent_names(self._session.host.subagents))
        return text

    def _chosen(self, wanted: str) -> Model | None:
        model: Model | None = export_of("pisces.models", "choosing", "chosen_model")(wanted, self._session.places)
        return model

    def _spend(self, usage: Usage, model: Model) -> None:
        self._session.spend_beside(usage, model)
        self.spent += cost_of(usage, model.facts.prices) or 0.0

    def _cost_left(self) -> float:
        """0 where there is no limit."""
        most, spent = self._session.options.limits.cost, (self._session.cost or 0.0) - self._cost_before
        return max(_NOTHING, most - spent) if most else 0.0

    def _say(self, problem: Diagnostic) -> None:
        self._session.show(Notification(problem.message, kind=problem.code))

    def _hear(self, notes: Sequence[Note]) -> None:
        for each in shown_messages(notes):
            self._session.show(each)
