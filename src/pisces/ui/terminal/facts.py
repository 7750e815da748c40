"""What the program says of itself: the first line, the status line, and what the keys do now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces import __version__
from pisces.by_name import export_of
from pisces.formats.visible import visible
from pisces.shapes.session_facts import MODE_ASK
from pisces.ui.plain import place_text
from pisces.ui.terminal.status import cost_word, tokens_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.input_box import InputBox
    from pisces.ui.terminal.work import Work

_NO_MODEL = "no model: `/model` says what is looked for"
_CONNECTED, _UP = "connected", "up"  # states of an editor and of a server


class StatusFacts:
    """The words of the status line. What takes time to know is known again after each step, not for each frame."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._left_out = bool(export_of("pisces.ui.print", "left_out", "left_out")(session.host))
        self._context = self._servers = ""

    @property
    def first_line(self) -> str:
        """Version, model, what is missing or not trusted, and how to get help."""
        model = self._session.model
        words = (f"pisces {__version__}", visible(model.facts.name) if model is not None else self._no_model)
        return " · ".join(filter(None, (*words, f"{self._untrusted}: /trust" if self._untrusted else "", "/help")))

    @property
    def _no_model(self) -> str:
        why, places = self._session.options.no_model, self._session.places
        return f"no model: {place_text(why, places)}{visible(why.message)}: `/model`" if why is not None else _NO_MODEL

    def renew(self) -> None:
        """After a request to the model and its tools."""
        session = self._session
        window = session.model.facts.window if session.model is not None else 0
        if window:
            used = export_of("pisces.agent", "compaction", "used_tokens")(session.transcript)
            self._context = f"{100 * used // window}% of context"
        servers = session.host.servers.values()
        up = sum(each.state == _UP for each in servers)
        self._servers = f"servers {up}/{len(servers)}" if servers else ""

    @property
    def words(self) -> Sequence[str]:
        """The most important first."""
        session, mode = self._session, self._session.host.mode
        tokens = session.usage.input + session.usage.output
        editor = session.editor.client
        return (
            visible(session.model.facts.id) if session.model is not None else "no model",
            "" if mode == MODE_ASK else f"mode {mode}",
            self._untrusted,
            self._context,
            f"{tokens_word(tokens)} tokens" if tokens else "",
            cost_word(session.cost) if tokens else "",
            "editor" if editor is not None and editor.status.state == _CONNECTED else "",
            self._servers,
        )

    @property
    def _untrusted(self) -> str:
        return "not trusted" if self._left_out and not self._session.host.is_trusted else ""


def hint_words(work: Work, box: InputBox) -> str:
    """What Enter and Escape do now."""
    if work.is_working:
        return "enter queues · ctrl+s sends now · esc stops" if box.text else "esc stops"
    return "up edits what waits" if work.waits and not box.text else ""
