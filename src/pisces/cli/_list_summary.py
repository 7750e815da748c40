"""`pisces list`: how many items of each kind each harness loads, how many it does not, and how many problems it has."""

from __future__ import annotations

from pisces.cli._views import PISCES, View
from pisces.diagnostics import NOTE
from pisces.discovery.state import ACTIVE, SHADOWED
from pisces.ui.plain import counted
from pisces.ui.table import table
from pisces.ui.width import width_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._shell_command import Screen
    from pisces.discovery.capability import Capability

# Headings for narrow terminals; kinds that are not here are short enough.
_SHORT = {
    "packages": "pkg",
    "modules": "mod",
    "commands": "cmd",
    "subagents": "agent",
    "mcp-servers": "mcp",
    "hooks": "hook",
    "policies": "rule",
    "context-files": "ctx",
    "settings": "set",
    "themes": "theme",
    "not loaded": "out",
    "problems": "bad",
}
_NONE = "-"


class Tally(Value):
    """How much one harness loads of each kind, and in all how much it does not load and how many problems it has."""

    view: View
    active: tuple[int, ...]
    others: int
    problems: int

    @property
    def is_empty(self) -> bool:
        return not any((*self.active, self.others, self.problems))


def show_summary(every: list[View], screen: Screen) -> None:
    tallies = [each for each in map(_tally, every) if not each.is_empty or each.view.is_set_up]
    used = [at for at in range(len(every[0].stands)) if any(each.active[at] for each in tallies)]
    if not used and not any(each.others or each.problems for each in tallies):
        screen.note("nothing found")
        return
    kinds = [every[0].stands[at].capability for at in used]
    tallies = [each.replace(active=tuple(each.active[at] for at in used)) for each in tallies]
    screen.lines(_lines(tallies, kinds, screen))
    if any(each.view.is_absent for each in tallies):
        screen.note("harnesses in brackets are not set up here: this is what the project has for them")
    screen.note("pisces list KIND shows the items, pisces list --harness ID one harness, --all what does not load")


def _tally(view: View) -> Tally:
    states = [[each.state for each in stand.candidates] for stand in view.stands]
    active = tuple(each.count(ACTIVE) for each in states)
    left_out = sum(each.count(SHADOWED) for each in states) if view.harness is PISCES else 0  # of every name but one
    others = sum(map(len, states)) - sum(active) - left_out
    wrong = {each for stand in view.stands for each in stand.diagnostics if each.severity != NOTE}
    return Tally(view, active, others, len(wrong))


def _lines(tallies: list[Tally], kinds: list[Capability], screen: Screen) -> list[str]:
    """A table, with shorter headings where it is too wide; below each other where that is not enough."""
    heads = [*(kind.id for kind in kinds), "not loaded", "problems"]
    for names in (heads, [_SHORT.get(head, head) for head in heads]):
        lines = list(table([["", *names], *(_row(each, names, screen) for each in tallies)]))
        if not screen.width or max(map(width_of, lines)) <= screen.width:
            return [screen.styled(lines[0], "dim"), *lines[1:]]
    return [line for each in tallies for line in _stacked(each, kinds, screen)]


def _row(tally: Tally, heads: list[str], screen: Screen) -> list[str]:
    styles = [*("" for _ in tally.active), "yellow", "red"]
    counts = [*tally.active, tally.others, tally.problems]
    cells = [
        _styled(f"{count:,}" if count else _NONE, len(head), style, screen)
        for count, head, style in zip(counts, heads, styles, strict=True)
    ]
    return [_name(tally, screen), *cells]


def _styled(text: str, width: int, style: str, screen: Screen) -> str:
    blanks = " " * (width - len(text))
    return blanks + (screen.styled(text, "dim") if text == _NONE else screen.styled(text, style) if style else text)


def _name(tally: Tally, screen: Screen) -> str:
    harness = tally.view.harness
    return f"({harness.id})" if tally.view.is_absent else screen.styled(harness.id, "bold")


def _stacked(tally: Tally, kinds: list[Capability], screen: Screen) -> Iterator[str]:
    yield _name(tally, screen)
    active = zip(tally.active, kinds, strict=True)
    parts = [counted(count, kind.singular, kind.plural) for count, kind in active if count]
    yield f"  {', '.join(parts) or 'loads nothing'}"
    rest = [f"{tally.others:,} not loaded"] if tally.others else []
    rest += [counted(tally.problems, "problem")] if tally.problems else []
    if rest:
        yield f"  {', '.join(rest)}"
