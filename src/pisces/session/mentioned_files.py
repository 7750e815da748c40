"""The files that a line of the user names with `@path`, behind the line. A command has a grammar of its own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.by_name import export_of

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.shapes.prompt import Prompt


async def with_files(prompt: Prompt, line: str, places: Places) -> Prompt:
    if "@" not in line or line.lstrip().startswith("/"):
        return prompt
    attached = export_of("pisces.commands.prompts", "mentions", "typed_attachments")
    parts, problems = await asyncio.to_thread(attached, line, places)
    return prompt.replace(parts=(*prompt.parts, *parts), diagnostics=(*prompt.diagnostics, *problems))
