"""`/name` of the program itself: a file in `commands/` with `COMMAND`. Other names are commands of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.by_name import export_of, names_in
from pisces.ui.terminal.panel import ScreenCall

if TYPE_CHECKING:
    from pisces.session.session import Session
    from pisces.ui.terminal.conversation import Conversation
    from pisces.ui.terminal.live import Live
    from pisces.ui.terminal.panel import ScreenCommand, TerminalScreen

COMMANDS = "pisces.ui.terminal.commands"


class OwnLines:
    """Lines that are not for the agent: `!command` and `/name` of the program."""

    def __init__(self, screen: TerminalScreen, live: Live, conversation: Conversation) -> None:
        self._screen, self._live, self._conversation = screen, live, conversation

    async def run(self, session: Session, line: str) -> bool:
        """Whether the line was one."""
        if line.startswith("!"):
            run_line = export_of("pisces.ui.terminal", "own_shell", "run_shell_line")
            await run_line(line, session, self._live, self._conversation)
            return True
        return await run_screen_command(line, session, self._screen)


async def run_screen_command(line: str, session: Session, screen: TerminalScreen) -> bool:
    """Whether the line was one."""
    name, _, args = line.strip().partition(" ")
    if not name.startswith("/") or name[1:] not in names_in(COMMANDS):
        return False
    command: ScreenCommand = export_of(COMMANDS, name[1:], "COMMAND")
    await command.run(ScreenCall(args.strip(), session, screen))
    return True
