"""Blocks of Markdown as lines with colours, by rich. It is loaded with the first answer: see `loaded_markdown`.

Code has no margin and its lines are not broken: the terminal wraps them, so that what is copied is what was written.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, cast

from rich.console import Console
from rich.markdown import CodeBlock, Heading, Markdown
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

from pisces.processes.clean import Cleaner
from pisces.ui.terminal.blocks import CODE
from pisces.ui.terminal.cells import cells

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderResult

    from pisces.ui.terminal.blocks import Block

_WIDEST = 120  # longer lines are hard to read
_MOST_HIGHLIGHTED = 50_000  # characters; lexers are slow, and some are not linear
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,30}")
_STYLES = {
    "markdown.code": "cyan",
    "markdown.h1": "bold underline",
    "markdown.h2": "bold",
    "markdown.h3": "bold",
    "markdown.h4": "bold dim",
    "markdown.h5": "dim",
    "markdown.h6": "dim",
    "markdown.item.bullet": "dim",
    "markdown.item.number": "dim",
    "markdown.block_quote": "dim",
    "markdown.hr": "dim",
    "markdown.link": "none",
    "markdown.link_url": "dim underline",
}


class LeftHeading(Heading):
    """No heading is moved to the middle."""

    LEVEL_ALIGN = {}  # noqa: RUF012  # rich declares it


class ItemCode(CodeBlock):
    """Code inside an item of a list, without a background and without padding."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(str(self.text).rstrip(), "markdown.code")


class QuietMarkdown(Markdown):
    elements = {**Markdown.elements, "heading_open": LeftHeading, "fence": ItemCode, "code_block": ItemCode}  # noqa: RUF012  # rich declares it


class MarkdownLines:
    """`colours` is rich's name of the colour system; None writes no codes at all."""

    def __init__(self, colours: str | None, *, is_light: bool = False) -> None:
        self._out = io.StringIO()
        self._colours = cast("Any", colours)  # rich wants a literal
        self._code_theme = "default" if is_light else "ansi_dark"
        self._console = Console(
            file=self._out,
            force_terminal=colours is not None,
            color_system=self._colours,
            no_color=colours is None,
            theme=Theme(_STYLES),
            highlight=False,
            emoji=False,
            legacy_windows=False,
            _environ={},
        )

    def lines(self, block: Block, width: int) -> list[str]:
        return self.code(block) if block.kind == CODE else self._prose(block.text, width)

    def _prose(self, text: str, width: int) -> list[str]:
        made = QuietMarkdown(text, hyperlinks=False)
        self._console.print(made, width=max(1, min(width, _WIDEST)))
        made_text = self._taken()
        if "&" in text:  # `&#x202e;` has become a character that nobody has cleaned
            cleaner = Cleaner(colours=True)
            made_text = (cleaner.clean(made_text.encode("utf-8", "replace")) + cleaner.end()).decode()
        return _without_empty_ends([_stripped(line) for line in made_text.split("\n")])

    def code(self, block: Block) -> list[str]:
        language = _LANGUAGE.match(block.language)
        if self._colours is None or language is None or len(block.text) > _MOST_HIGHLIGHTED:
            return block.text.split("\n")
        syntax = Syntax("", language[0], theme=self._code_theme, background_color="default")
        self._console.print(syntax.highlight(block.text), soft_wrap=True, end="")
        lines = [_stripped(line) for line in self._taken().split("\n")]
        return lines[: block.text.count("\n") + 1]

    def _taken(self) -> str:
        text = self._out.getvalue()
        self._out.seek(0)
        self._out.truncate()
        return text


def _without_empty_ends(lines: list[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and not cells(lines[first]):
        first += 1
    while last > first and not cells(lines[last - 1]):
        last -= 1
    return lines[first:last]


def _stripped(line: str) -> str:
    """Without the blanks that only fill the line, also behind which colours end."""
    bare, codes = line.rstrip(" "), ""
    while bare.endswith("m") and (at := bare.rfind("\x1b[")) >= 0 and bare[at + 2 : -1].replace(";", "").isdigit():
        codes = bare[at:] + codes
        bare = bare[:at].rstrip(" ")
    return bare + codes
