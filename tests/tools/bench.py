"""The agent's own tools in a throwaway workspace, called as the host calls them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pisces.modules.tool_arguments import fitted
from pisces.places import Places
from pisces.shapes.tool import Tool, ToolContext, ToolFailed
from pisces.tools.workbench import FilesSeen, Workbench, own_tools

PATIENCE = 60.0


class Desk:
    """`text(tool, **given)` is what the model gets; a failure begins with `failed: `."""

    def __init__(self, folder: Path, env_files: Sequence[str] = (), answer: str | None = None, **env: str) -> None:
        self.home = folder.resolve() / "home"
        self.folder = folder.resolve() / "work"
        for each in (self.home, self.folder):
            each.mkdir(exist_ok=True)
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.updates: list[Any] = []
        places = Places(str(self.home), str(self.folder), {"PATH": os.environ["PATH"], **env})
        self._answer = answer
        self.bench = Workbench(places, lambda: str(self.folder), lambda: env_files, self._ask, FilesSeen())
        self.tools: dict[str, Tool] = {each.name: each for each in own_tools(self.bench)}

    async def _ask(self, question: str, options: Sequence[str]) -> str | None:
        self.asked.append((question, tuple(options)))
        return self._answer

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    async def run(self, tool: str, **given: Any) -> dict[str, Any]:
        found = self.tools[tool]
        prepared = fitted(found, found.prepare(given) if found.prepare else given)
        answer = found.run(prepared, ToolContext("call-1", self.updates.append))
        result = await asyncio.wait_for(answer, PATIENCE) if hasattr(answer, "__await__") else answer
        assert isinstance(result, dict)
        return result

    def call(self, tool: str, **given: Any) -> dict[str, Any]:
        """The result. Raises `ToolFailed`."""
        return asyncio.run(self.run(tool, **given))

    def text(self, tool: str, **given: Any) -> str:
        try:
            return text_in(self.call(tool, **given))
        except ToolFailed as error:
            return f"failed: {error}"


def text_in(result: dict[str, Any]) -> str:
    return "\n".join(each["text"] for each in result["content"] if each["type"] == "text")
