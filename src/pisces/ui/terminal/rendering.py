"""Markdown for the screen. What renders it is loaded with the first block: a program that only waits does not pay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.ui.terminal.blocks import Block
    from pisces.ui.terminal.themes import Palette


class Rendering:
    def __init__(self, palette: Palette, env: Mapping[str, str]) -> None:
        self.palette, self._env = palette, env
        self._markdown: Any = None
        self._made_for: Palette | None = None

    def use(self, palette: Palette) -> None:
        self.palette = palette

    def lines(self, block: Block, width: int) -> Sequence[str]:
        if self._made_for != self.palette:
            made = export_of("pisces.ui.terminal", "markdown", "MarkdownLines")
            self._markdown, self._made_for = made(self._colours, is_light=self.palette.is_light), self.palette
        lines: Sequence[str] = self._markdown.lines(block, width)
        return lines

    @property
    def _colours(self) -> str | None:
        """rich's name of the colour system. A palette without colours leaves none."""
        if not self.palette.accent:
            return None
        if self._env.get("COLORTERM", "") in ("truecolor", "24bit"):
            return "truecolor"
        return "256" if "256" in self._env.get("TERM", "") else "standard"
