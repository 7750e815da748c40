"""What is under way: the open block of the answer, thinking, tools that run, lines that wait. Drawn, never printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.formats.visible import visible
from pisces.ui.terminal.blocks import CODE, PROSE
from pisces.ui.terminal.cells import clipped, rows_of
from pisces.ui.terminal.tool_text import running_lines
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.ui.terminal.blocks import Block
    from pisces.ui.terminal.themes import Palette

_MOST_RENDERED = 2000  # characters; of an open block that is longer the end is shown as it is


class RunningTool(Value):
    """`output` is what it has said so far, or the end of it."""

    title: str
    output: str = ""


class Live:
    """`render` makes lines of a block of prose."""

    def __init__(self, render: Callable[[Block, int], Sequence[str]]) -> None:
        self._render = render
        self.block: Callable[[], Block] | None = None
        self.thinking = ""
        self.working = ""  # what a module or the program is doing, as one line
        self.tools: dict[str, RunningTool] = {}
        self.queued: Sequence[str] = ()
        self.steered: Sequence[str] = ()
        self.changed: Callable[[], object] = tuple

    def lines(self, width: int, height: int, palette: Palette) -> list[str]:
        """The most recent ones, at most `height`."""
        made = [*self._open_block(width, height), *self._thinking(width, palette)]
        for tool in self.tools.values():
            made.extend(running_lines(tool.title, tool.output, width, palette))
        waiting = (
            self.working,
            *(f"for the next step: {each}" for each in self.steered),
            *(f"queued: {each}" for each in self.queued),
        )
        made.extend(palette.paint(clipped(visible(each), width, "…"), "dim") for each in waiting if each)
        return made[-height:] if height > 0 else []

    def _thinking(self, width: int, palette: Palette) -> list[str]:
        line = self.thinking[-1000:].rstrip("\n").rpartition("\n")[2]
        return [palette.paint(clipped(f"thinking: {visible(line)}", width, "…"), "dim")] if line else []

    def _open_block(self, width: int, height: int) -> list[str]:
        block = self.block() if self.block is not None else None
        if block is None or not block.text.strip():
            return []
        if block.kind == PROSE and len(block.text) <= _MOST_RENDERED:
            made = [*self._render(block, width)]
        else:
            made = _tail(block, width, height)
        return ["", *made] if block.gap else made


def _tail(block: Block, width: int, height: int) -> list[str]:
    text = block.text[-(width * height + 1) * 2 :]
    lines = [line.expandtabs(4) for line in text.split("\n")]
    if block.kind == CODE and not lines[-1]:
        lines.pop()
    return [row for line in lines[-height - 1 :] for row in rows_of(line, width)]
