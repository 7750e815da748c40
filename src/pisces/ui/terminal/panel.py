"""What the parts of the terminal program agree on: panels in the live area, and what they may do to the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.themes import Palette


class Panel(Protocol):
    """A question or a view in the live area, above the input box. It gets every key until it is done."""

    @property
    def is_done(self) -> bool: ...

    def lines(self, width: int, height: int) -> Sequence[str]:
        """At most `height` lines of at most `width` cells, with colours as escape codes and no other codes."""

    def key(self, key: str, text: str) -> None:
        """`key` as prompt_toolkit calls it (`enter`, `escape`, `up`, `c-c`), or empty; `text` is what it types."""


class TerminalScreen(Protocol):
    """The screen as dialogs, commands and modules see it."""

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def palette(self) -> Palette: ...

    def use_palette(self, palette: Palette) -> None:
        """From the next line on; what is in the scrollback stays as it is."""

    def print(self, text: str) -> None:
        """Finished lines, with colours. They go into the scrollback and are never written again."""

    async def ask(self, panel: Panel) -> None:
        """Shows a panel until it is done. One at a time: a second one waits."""

    async def page(self, panel: Panel) -> None:
        """The same on the whole alternate screen, for lists and diffs that are longer than the screen."""

    def status(self, key: str, text: str | None) -> None:
        """A word in the status line; None takes it away."""

    def widget(self, key: str, lines: Sequence[str] | None, placement: str) -> None: ...

    @property
    def text(self) -> str:
        """What is in the input box."""

    def set_text(self, text: str) -> None: ...
    def redraw(self) -> None: ...
    def quit(self) -> None: ...


class ScreenCall(Value):
    """One use of a slash command of the program: its arguments, and what it may act on."""

    args: str
    session: Session
    screen: TerminalScreen


class ScreenCommand(Value):
    """`/name` of the program itself. `words` completes its arguments: the possible values, each with its meaning."""

    name: str
    summary: str
    run: Callable[[ScreenCall], Awaitable[None]]
    words: Callable[[Session], Sequence[tuple[str, str]]] | None = None
