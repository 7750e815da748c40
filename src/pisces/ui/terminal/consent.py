"""The user answers what nobody else decided: a card for each question, one at a time."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import PiscesError
from pisces.gates.allowed_lines import allow_line
from pisces.gates.approvals import remember_never
from pisces.gates.judge import USER
from pisces.gates.server_starts import ServerStartGates
from pisces.gates.tool_effects import effects_of
from pisces.gates.trusted import trust_in
from pisces.gates.user_rules import RULE_NOT_STORED
from pisces.host.confirming import InputChanged
from pisces.shapes.request import ALWAYS, NEVER, NO, SESSION, LineRequest, ServerRequest, ToolRequest
from pisces.shapes.server_requests import ElicitationRequest
from pisces.shapes.verdict import ALLOW, DENY, Verdict
from pisces.ui.terminal.card_lines import card_text
from pisces.ui.terminal.choices import asked
from pisces.ui.terminal.consent_answers import CHANGE, INSTEAD, answers_to, command_argument, is_by_mode
from pisces.ui.terminal.consent_panel import ConsentPanel
from pisces.ui.terminal.form import answered_form
from pisces.ui.terminal.modes import MEANINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pisces.places import Places
    from pisces.shapes.request import Request
    from pisces.ui.terminal.consent_answers import ConsentAnswer
    from pisces.ui.terminal.panel import TerminalScreen

    Remember = Callable[[Sequence[Mapping[str, str]], str], None]

_NOT_ALLOWED = "the user did not allow it"


class TerminalConsent:
    """`approve` of a session at a terminal. `remember` stores rules: that of the session's host.

    What was allowed for the session to the letter is remembered here, and ends with it.
    """

    def __init__(
        self,
        screen: TerminalScreen,
        places: Places,
        remember: Remember,
        mode: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._screen, self._places, self._remember, self._mode, self._clock = screen, places, remember, mode, clock
        self._allowed: set[tuple[str, ...]] = set()
        self._given: set[tuple[str, ...]] = set()
        self._written: set[tuple[str, ...]] = set()
        self._one_by_one = asyncio.Lock()

    async def approve(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict | Mapping[str, Any]:
        """Raises `InputChanged` where the user wrote another command: everybody judges that before it runs."""
        async with self._one_by_one:
            if self._is_known(request, questions):
                return Verdict(ALLOW, USER, "you allowed it for this session")
            if isinstance(request, ElicitationRequest) and not request.url:
                given = await answered_form(request, self._screen, self._clock)
                return Verdict(DENY, USER, _NOT_ALLOWED) if given is None else given
            return await self._asked(request, questions)

    def _is_known(self, request: Request, questions: Sequence[Verdict]) -> bool:
        """What an answer before this one covers: several calls may wait for the same question."""
        key = _key(request, questions)
        if key in self._written and is_by_mode(questions):
            self._written.discard(key)  # the user wrote this very command into the question before
            return True
        rules = next((each.rules for each in answers_to(request, questions, self._places) if each.kind == SESSION), ())
        return key in self._allowed or (bool(rules) and _given_key(request, rules) in self._given)

    async def _asked(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        screen, card = self._screen, card_text(request, questions, self._places)
        answers = answers_to(request, questions, self._places)
        panel = ConsentPanel(card, answers, screen.palette, lambda: self._explained(request, questions), self._clock)
        if isinstance(request, ToolRequest):
            panel.command = str(request.call.input.get(command_argument(request), ""))
        await asked(panel, screen)
        assert panel.answer is not None, "a closed panel has an answer"
        return self._answered(request, questions, panel.answer, panel.typed)

    def _answered(self, request: Request, questions: tuple[Verdict, ...], answer: ConsentAnswer, typed: str) -> Verdict:
        if answer.kind == CHANGE and isinstance(request, ToolRequest):
            return self._changed(request, questions, typed)
        if answer.kind == INSTEAD:
            words = f". The user says: {typed.strip()}" if typed.strip() else ""
            return Verdict(DENY, USER, _NOT_ALLOWED + words)
        try:
            self._store(request, questions, answer)
        except PiscesError as error:
            self._screen.print(self._screen.palette.paint(f"not stored: {error}", "bad"))
            return Verdict(DENY, USER, "the answer could not be stored, so nothing runs")
        return Verdict(DENY, USER, _NOT_ALLOWED) if answer.kind in (NO, NEVER) else Verdict(ALLOW, USER)

    def _store(self, request: Request, questions: Sequence[Verdict], answer: ConsentAnswer) -> None:
        if answer.rules:
            self._remember(answer.rules, SESSION if answer.kind == SESSION else ALWAYS)
            if answer.kind != NEVER:
                self._given.add(_given_key(request, answer.rules))
        elif answer.kind == SESSION:
            self._allowed.add(_key(request, questions))
        elif answer.kind == ALWAYS and isinstance(request, LineRequest):
            if not allow_line(self._places, request):
                raise PiscesError(RULE_NOT_STORED.at(request.path, "the file that the line is in cannot be read"))
        elif answer.kind == ALWAYS and isinstance(request, ServerRequest):
            ServerStartGates(self._places, trust_in(self._places)).answered(request, ALWAYS)
        elif answer.kind == NEVER and isinstance(request, LineRequest):
            remember_never(self._places, request.exact)

    def _changed(self, request: ToolRequest, questions: tuple[Verdict, ...], typed: str) -> Verdict:
        name = command_argument(request)
        if not typed.strip():
            return Verdict(DENY, USER, _NOT_ALLOWED)
        if typed == request.call.input.get(name):
            return Verdict(ALLOW, USER)
        changed = request.replace(call=request.call.replace(input={**request.call.input, name: typed}))
        self._written.add(_key(changed, questions))
        raise InputChanged(changed)

    def _explained(self, request: Request, questions: Sequence[Verdict]) -> str:
        mode = self._mode()
        lines = [f"the approval mode is `{mode}`: {MEANINGS.get(mode, '')}"]
        if isinstance(request, ToolRequest):
            effects = effects_of(request.call) if not request.server else None
            commands = effects.line.commands if effects is not None and effects.line is not None else ()
            lines += [f"runs: {each.text}" for each in commands]
            if effects is not None:
                lines += [f"reads: {each}" for each in effects.reads if each]
                lines += [f"writes: {each}" for each in effects.writes if each]
            if not is_by_mode(questions):
                lines.append("a hook or a rule asks each time: an answer that lasts would not be heard")
        lines += [f"{each.who}: {each.why or 'gives no reason'}" for each in questions if each.who]
        return "\n".join(lines)


def _given_key(request: Request, rules: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Rules of one answer, and the folder that it was given for: what a command does elsewhere nobody has seen."""
    folder = effects_of(request.call).folder if isinstance(request, ToolRequest) else ""
    return os.path.join(str(getattr(request, "cwd", "")), folder), *map(repr, rules)


def _key(request: Request, questions: Sequence[Verdict]) -> tuple[str, ...]:
    """The very request, where it runs, who makes it, and who asked."""
    where = str(getattr(request, "cwd", "")), str(getattr(request, "agent", "")), str(getattr(request, "path", ""))
    exact = request.exact if hasattr(request, "exact") else str(request.as_tuple())
    return request.KIND, exact, *where, *(each.who for each in questions)
