"""Who holds the user's words in a shell line, and what the words must look like for it."""

from __future__ import annotations

from pisces.commands.lines.arguments import CLEAN
from pisces.commands.lines.needs import DIGITS, NEVER
from pisces.processes.blocked_env import is_blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.commands.lines.arguments import CommandCall, Taint
    from pisces.commands.lines.flow import Flow
    from pisces.commands.lines.needs import Need


class FlowState:
    """What all scripts of a line share: who holds the user's words."""

    def __init__(self, judge: Callable[[Flow, CommandCall], None]) -> None:
        self.judge = judge
        self.needs: dict[int, set[Need]] = {}
        self.single: set[int] = set()  # holes whose words must stay one word
        self.variables: dict[str, Taint] = {}
        self.texts: dict[str, set[str]] = {}
        self.positional: Taint = CLEAN
        self.functions: dict[str, Taint] = {}  # by name, whose words come in by stdin
        self.integers: set[str] = set()
        self.written: dict[str, Taint] = {}

    @property
    def held(self) -> Taint:
        """All words that any variable holds."""
        return self.positional.union(*self.variables.values())

    def need(self, taint: Taint, *needs: Need) -> None:
        for hole in taint:
            self.needs.setdefault(hole, set()).update(needs)

    def hold(self, name: str, taint: Taint) -> None:
        if taint and is_blocked(name):
            self.need(taint, NEVER)
        if taint and name in self.integers:
            self.need(taint, DIGITS)
        self.variables[name] = self.variables.get(name, CLEAN) | taint

    def snapshot(self) -> tuple[object, ...]:
        return (dict(self.variables), self.positional, dict(self.functions), set(self.integers), dict(self.written))
