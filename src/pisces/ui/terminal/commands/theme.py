"""`/theme [NAME]`: the colours, with a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.discovery.capabilities import THEMES
from pisces.ui.terminal.choices import ChoicePanel, Option, asked
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.themes import PLAIN, found_themes, names_of_themes, palette_named, remember_palette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.shapes.theme import Theme
    from pisces.ui.terminal.panel import ScreenCall, TerminalScreen
    from pisces.ui.terminal.themes import Palette

_SAMPLE = "text dim accent good bad warn code bold added removed".split()


async def _run(call: ScreenCall) -> None:
    themes, wanted = _themes(call.session), call.args.strip()
    if not wanted:
        palettes = [palette_named(name, themes, call.session.places.env) or PLAIN for name in names_of_themes(themes)]
        panel = ThemePanel(call.screen, names_of_themes(themes), palettes)
        await asked(panel, call.screen)
        if panel.chosen is None:
            panel.restore()
            return
        wanted = names_of_themes(themes)[panel.chosen]
    palette = palette_named(wanted, themes, call.session.places.env)
    if palette is None:
        say(call.screen, f"there is no theme `{wanted}`: {', '.join(names_of_themes(themes))}", "warn")
        return
    call.screen.use_palette(palette)
    try:
        remember_palette(palette, call.session.places)
    except OSError as error:
        say(call.screen, f"the choice is not stored: {error.strerror}", "warn")
    call.screen.print(preview(palette, call.screen.width))


class ThemePanel(ChoicePanel):
    """The screen has the colours of the theme that the user is at, until it is taken or left."""

    def __init__(self, screen: TerminalScreen, names: Sequence[str], palettes: Sequence[Palette]) -> None:
        super().__init__("Which theme?", [Option(name) for name in names], screen.palette)
        self._screen, self._palettes, self._before = screen, palettes, screen.palette
        self._at = names.index(screen.palette.name) if screen.palette.name in names else 0

    def lines(self, width: int, height: int) -> Sequence[str]:
        if height < 3:
            return super().lines(width, height)
        return [*super().lines(width, height - 1), preview(self._palette, width)]

    def key(self, key: str, text: str) -> None:
        super().key(key, text)
        if self._palettes[self._at] is not self._palette:
            self._palette = self._palettes[self._at]
            self._screen.use_palette(self._palette)

    def restore(self) -> None:
        """The user has left: as it was."""
        self._screen.use_palette(self._before)


def preview(palette: Palette, width: int) -> str:
    words, used = [], 0
    for each in _SAMPLE:
        used += len(each) + 1
        if used > width:
            break
        words.append(palette.paint(each, each))
    return " ".join(words)


def _themes(session: Session) -> tuple[Theme, ...]:
    return found_themes(session.host.found(THEMES))


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [(each, "") for each in names_of_themes(_themes(session))]


COMMAND = ScreenCommand("theme", "the colours", _run, _words)
