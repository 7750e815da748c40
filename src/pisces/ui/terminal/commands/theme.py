"""`/theme [NAME]`: the colours, with a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.discovery.capabilities import THEMES
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.themes import found_themes, names_of_themes, palette_named, remember_palette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.shapes.theme import Theme
    from pisces.ui.terminal.panel import ScreenCall
    from pisces.ui.terminal.themes import Palette

_SAMPLE = "text dim accent good bad warn code bold added removed".split()


async def _run(call: ScreenCall) -> None:
    themes, wanted = _themes(call.session), call.args.strip()
    if not wanted:
        names = names_of_themes(themes)
        chosen = await choice(call.screen, "Which theme?", [Option(name) for name in names])
        if chosen is None:
            return
        wanted = names[chosen]
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
