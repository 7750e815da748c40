"""A text, cut into parts where a pattern finds a place: for the grammars of all readers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable

    from pisces.converting.prompt_text import Part


def cut(text: str, pattern: re.Pattern[str], part: Callable[[re.Match[str]], Part]) -> tuple[Part, ...]:
    """`part` says what a match is; one that is only text is joined with what is beside it."""
    found: list[Part] = []
    end = 0
    for match in pattern.finditer(text):
        found += (text[end : match.start()], part(match))
        end = match.end()
    return joined((*found, text[end:]))


def joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Without empty parts, and with no two texts beside each other."""
    found: list[Part] = []
    run: list[str] = []
    for each in parts:
        if isinstance(each, str):
            run.append(each)
            continue
        found += filter(None, ("".join(run),))
        found.append(each)
        run = []
    return (*found, *filter(None, ("".join(run),)))
