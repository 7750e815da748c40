"""The user's own editor for what is in the box: `$VISUAL`, `$EDITOR`, else `vi`."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pisces.places import Places


async def edited(text: str, places: Places) -> str | None:
    """None where the editor could not be started or failed. It has the terminal: whoever calls has left it."""
    with tempfile.TemporaryDirectory(prefix="pisces-") as folder:
        path = os.path.join(folder, "message.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            words = shlex.split(places.env.get("VISUAL") or places.env.get("EDITOR") or "vi")
            # Not through `processes`: an editor needs the terminal's own session.
            program = await asyncio.create_subprocess_exec(*words, path, cwd=places.cwd)
        except (OSError, ValueError):
            return None
        if await program.wait():
            return None
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().rstrip("\n")
