"""What the commands about editors share: private files, a connection in one sentence, consent to a session."""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.ide.client.client import CONNECTED, IdeClient
from pisces.ide.client.reach import DECLINED, MANY, NEWEST, reach
from pisces.ide.client.wire import Unreachable
from pisces.ide.endpoint import Endpoint
from pisces.ide.shared_context import PRIVATE
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.plain import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pisces.ui.screen import Screen

_NEWEST_ONLY = (
    "is the companion of Gemini CLI for VS Code, which answers only the client that connected last: an agent that is"
    " connected now will wait for ever; `/ide disable` and `/ide enable` connect Gemini CLI again"
)
_PERHAPS = "may answer only the client that connected last: an agent that is connected now may have to connect again"


def add_private(parser: ArgumentParser) -> None:
    parser.add_argument("--private", action="append", metavar="NAME", help="hide files of this name too (repeatable)")


def private_of(arguments: Namespace) -> tuple[str, ...]:
    """Ours, which are always on, and those of the user."""
    return (*PRIVATE, *(arguments.private or ()))


def state_text(ide: IdeClient) -> str:
    if ide.problem:
        return ide.problem
    if ide.status.state != CONNECTED or ide.connection is None:
        return f"{ide.status.state}: {ide.status.reason}" if ide.status.reason else ide.status.state
    hidden = f"; {counted(ide.hidden, 'private file')} not told" if ide.hidden else ""
    return f"connected to {editor_name(ide)}, {ide.connection.endpoint}{hidden}"


def editor_name(ide: IdeClient) -> str:
    """As the discovery file has it, else as the server calls itself."""
    if ide.connection is None:
        return ""
    source = ide.connection.endpoint.source
    names = [each.file.ide_display_name for each in ide.status.choice.candidates if each.file.path == source]
    return "".join(names) or str(ide.connection.server.get("name") or "an editor")


def add_yes(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="connect to a companion that answers only its newest client")


class SessionConsent:
    """Says, before a session is opened, that another client may lose its connection; at a terminal it asks.

    It asks once for each companion. Without a terminal nobody can answer, so it only says it.
    """

    def __init__(self, arguments: Namespace, screen: Screen) -> None:
        self._is_agreed = arguments.yes
        self._is_json = arguments.output_format == "json"
        self._screen = screen
        self._said: set[int] = set()

    async def __call__(self, endpoint: Endpoint, host: str) -> None:
        try:
            found = await reach(endpoint, host)
        except Unreachable:  # the connection says why
            return
        if found.sessions == MANY or endpoint.port in self._said:
            return
        self._said.add(endpoint.port)
        if found.sessions == NEWEST:
            self._screen.note(f"port {endpoint.port} {_NEWEST_ONLY}")
            self._ask(endpoint)
        elif not self._is_json:
            self._screen.note(f"port {endpoint.port} {_PERHAPS}")

    def _ask(self, endpoint: Endpoint) -> None:
        if self._is_agreed or not can_ask(self._screen):
            return
        if answer_to("Connect all the same? [y]es, [n]o: ", self._screen).strip().lower() not in ("y", "yes"):
            hint = "`pisces ide status` asks without a session; `--yes` connects"
            raise PiscesError(DECLINED.at("", f"{endpoint} was not connected to", hint=hint))
