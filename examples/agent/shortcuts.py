"""A module: it writes out two shortcuts of shell commands before anybody judges them."""

from pisces import Api
from pisces.events import ToolCall

SHORTCUTS = {"gp": "git push origin main", "clean": "rm -rf build"}


def extension(api: Api) -> None:
    @api.on(ToolCall)
    def write_out(event: ToolCall) -> ToolCall | None:
        long = SHORTCUTS.get(event.input.get("command", ""))
        return event.with_input(command=long) if long else None
