"""All that a session needs of a user at a terminal: who approves, who answers questions, and the screen of modules."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pisces.ui.terminal.choices import answer_of_user
from pisces.ui.terminal.consent import TerminalConsent
from pisces.ui.terminal.module_ui import TerminalUi
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pisces.host.options import Approve
    from pisces.modules.actions import Ui
    from pisces.places import Places
    from pisces.session.session import Session
    from pisces.tools.workbench import AskUser
    from pisces.ui.terminal.panel import TerminalScreen


class SessionViews(Value):
    """For `SessionOptions`."""

    approve: Approve
    ask: AskUser
    ui: Ui


def session_views(
    screen: TerminalScreen,
    places: Places,
    session: Callable[[], Session],
    clock: Callable[[], float] = time.monotonic,
) -> SessionViews:
    """`session` is asked when the first question comes: it is opened with these."""

    def remember(rules: Sequence[Mapping[str, str]], lasting: str) -> None:
        session().host.remember(rules, lasting)

    consent = TerminalConsent(screen, places, remember, lambda: session().host.mode, clock)

    async def ask(question: str, answers: Sequence[str]) -> str | None:
        return await answer_of_user(screen, question, answers, clock)

    return SessionViews(consent.approve, ask, TerminalUi(screen, clock))
