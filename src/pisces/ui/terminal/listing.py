"""Lists that slash commands print: one screenful, in any width. What did not fit is counted, and said how to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, SEVERITIES, WARNING
from pisces.ui.plain import place_text, shortened
from pisces.ui.terminal.drawn import one_row, prose_rows
from pisces.ui.width import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places
    from pisces.ui.terminal.panel import ScreenCall, TerminalScreen

_FRAME = 6  # rows of the screen that the box, the status line and the command itself take
_FEWEST = 5
_WIDEST_NAME = 28


def print_list(call: ScreenCall, title: str, rows: Sequence[tuple[str, str]], more: str = "") -> None:
    """Names with their meanings. `more` says what to type for details."""
    screen = call.screen
    lines = [screen.palette.paint(one_row(title, screen.width), "bold")]
    shown = rows[: max(screen.height - _FRAME, _FEWEST)]
    longest = max((width_of(name) for name, _ in shown), default=0)
    column = min(longest, _WIDEST_NAME, max(screen.width // 2, 8))
    for name, meaning in shown:
        name = one_row(name, column)
        gap = " " * (column - width_of(name) + 2)
        rest = one_row(meaning, screen.width - column - 4)
        lines.append(f"  {screen.palette.paint(name, 'accent')}{gap}{rest}".rstrip())
    lines += () if rows else [screen.palette.paint("  none", "dim")]
    left = len(rows) - len(shown)
    hints = [f"and {left} more" if left else "", more]
    hint = "; ".join(filter(None, hints))
    lines += [screen.palette.paint(one_row(hint, screen.width), "dim")] if hint else []
    screen.print("\n".join(lines))


def print_facts(screen: TerminalScreen, title: str, facts: Iterable[tuple[str, str]]) -> None:
    """Lines of label and text, folded. Facts without a text are left out."""
    lines = [screen.palette.paint(one_row(title, screen.width), "bold")]
    for label, text in facts:
        rows = list(prose_rows(f"{label}: {text}" if label else text, max(screen.width - 2, 1))) if text else []
        lines += (f"  {row}" for row in rows)
    screen.print("\n".join(lines))


def say(screen: TerminalScreen, text: str, meaning: str = "text") -> None:
    screen.print("\n".join(screen.palette.paint(row, meaning) for row in prose_rows(text, max(screen.width, 1))))


def print_problems(screen: TerminalScreen, problems: Sequence[Diagnostic], places: Places) -> None:
    """Each with its place and what to do about it, errors first: one screenful, and how many more there are."""
    meanings = {ERROR: "bad", WARNING: "warn"}
    left = sorted(problems, key=lambda each: SEVERITIES.index(each.severity))
    room = max(screen.height - _FRAME, _FEWEST) // 2
    lines: list[str] = []
    while left and len(lines) < room:
        each = left.pop(0)
        meaning = meanings.get(each.severity, "dim")
        said = f"{place_text(each, places)}{shortened(each.message, places)} [{each.code}]"
        hint = prose_rows(f"hint: {each.hint}", screen.width, "  ") if each.hint else ()
        lines += (screen.palette.paint(row, meaning) for row in prose_rows(said, screen.width))
        lines += (screen.palette.paint(row, "dim") for row in hint)
    if left:
        lines.append(screen.palette.paint(one_row(f"and {len(left)} more: `!pisces doctor`", screen.width), "dim"))
    if lines:
        screen.print("\n".join(lines))


def first_line(text: object) -> str:
    return str(text or "").strip().partition("\n")[0]
