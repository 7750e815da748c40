"""The session behind the screen: opened while the user can type already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pisces.session.session import open_session
from pisces.ui.extension_problems import check_guards, extension_problems
from pisces.ui.session_options import Seat, dropped, session_options
from pisces.ui.terminal.views import session_views

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.places import Places
    from pisces.session.session import Session
    from pisces.ui.extension_problems import ExtensionProblems
    from pisces.ui.terminal.conversation import Conversation
    from pisces.ui.terminal.panel import TerminalScreen


class SessionOpening:
    """`session` is the open session: questions come after it is there."""

    def __init__(
        self, screen: TerminalScreen, conversation: Conversation, places: Places, session: Callable[[], Session]
    ) -> None:
        self._screen, self._conversation, self._places, self._session = screen, conversation, places, session

    def _say_what_is_wrong(self, problems: ExtensionProblems) -> None:
        for each in problems.whole:
            self._conversation.failure(each, self._places)
        if problems.others:
            self._conversation.note(problems.line("/doctor"), "warn")

    @asynccontextmanager
    async def opened(self, arguments: Any) -> AsyncIterator[Session]:
        """Raises `PiscesError` for a model, a session or a rule that does not exist."""
        views = session_views(self._screen, self._places, self._session)
        for each in dropped(arguments):
            self._conversation.failure(each, self._places)
        options = session_options(arguments, self._places, Seat(views.approve, views.ask, views.ui))
        async with open_session(self._places, options.replace(readers=(self._conversation.read,))) as session:
            try:
                check_guards(session.host, arguments)
                self._conversation.resumed(session.transcript.newest_messages())
                self._say_what_is_wrong(extension_problems(session.host, arguments))
                yield session
            finally:
                if options.model is not None:
                    await options.model.close()
