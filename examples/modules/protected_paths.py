"""Files that the agent may read but never write.

pisces modules test protected_paths.py --event 'tool_call={"tool": "write", "input": {"path": ".env"}}'
"""

from pathlib import PurePath

from pisces.events import ToolCall

PROTECTED = {".env", ".git", "node_modules", "id_rsa"}
WRITERS = {"write", "edit"}


def extension(pisces):
    @pisces.on(ToolCall)
    def protect(event):
        path = PurePath(event.input.get("path", ""))
        if event.tool in WRITERS and PROTECTED & set(path.parts):
            pisces.ui.notify(f"kept the agent from writing {path}", "warning")
            return event.block(f"{path} is protected")
        return None
