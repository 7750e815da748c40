"""What the commands about editors share: which files are private, and how a connection is put into one sentence."""

from __future__ import annotations

from pisces.ide.client.client import CONNECTED, IdeClient
from pisces.ide.shared_context import PRIVATE
from pisces.ui.plain import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


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
    file = ide.status.choice.file
    name = file.ide_display_name if file and file.path == ide.connection.endpoint.source else ""
    return name or str(ide.connection.server.get("name") or "an editor")
