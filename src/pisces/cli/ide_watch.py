"""`pisces ide watch`: live, what the model would get about the editor: all of it first, then what changed."""

from __future__ import annotations

import asyncio
import sys

from pisces.cli._ide import SessionConsent, add_private, add_yes, private_of, state_text
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.ide.client.client import FIRST_CONTEXT_SECONDS, IdeClient
from pisces.ide.client.model_text import ModelText
from pisces.shapes.ide_context import as_json
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help="what a one-shot run would get, then end")
    parser.add_argument("--wait", type=float, default=FIRST_CONTEXT_SECONDS, metavar="SECONDS", help="for `--once`")
    add_private(parser)
    add_yes(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    try:
        return asyncio.run(_watch(arguments, places, screen))
    except KeyboardInterrupt:  # this is how a user ends it
        return FINE


async def _watch(arguments: Namespace, places: Places, screen: Screen) -> int:
    consent = SessionConsent(arguments, screen)
    async with IdeClient(places, private_of(arguments), consent=consent) as ide:
        view = _View(ide, screen, arguments.output_format)
        if arguments.once:
            await ide.first_context(arguments.wait)
            view.show()
            return FINE if ide.context else PROBLEMS
        seen = 0
        while True:
            seen = await ide.change(seen)
            view.show()


class _View:
    """Shows what is new since the last time."""

    def __init__(self, ide: IdeClient, screen: Screen, output_format: str) -> None:
        self._ide = ide
        self._screen = screen
        self._is_json = output_format == "json"
        self._model = ModelText()
        self._shown_state = ""

    def show(self) -> None:
        self._show_state()
        text = self._model.next(self._ide.context)
        if text and self._is_json:
            context = as_json(self._ide.context) if self._ide.context else None
            self._event("context", hidden=self._ide.hidden, text=text, context=context)
        elif text:
            self._screen.lines([*map(visible, text.split("\n")), ""])
        sys.stdout.flush()

    def _show_state(self) -> None:
        state = state_text(self._ide)
        if state == self._shown_state:
            return
        self._shown_state = state
        if self._is_json:
            self._event("state", state=self._ide.status.state, text=state)
        else:
            self._screen.note(self._screen.styled(visible(state), "dim"))

    def _event(self, name: str, **fields: object) -> None:
        self._screen.event({"event": name, **fields})


_EXAMPLES = (
    ("pisces ide watch", "until Ctrl-C"),
    ("pisces ide watch --once", "what a one-shot run would get"),
    ("pisces ide watch --output-format json", "one event a line"),
)
_SUMMARY = "shows live what the model would be told about the editor"
COMMAND = ShellCommand("ide watch", _SUMMARY, _EXAMPLES, _arguments, _run)
