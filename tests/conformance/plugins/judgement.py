"""What a conversion was found to be worth: figures that add up over plugins, and every fault in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

# The figures of the table, in its order: what is counted, and of how many.
ROWS: tuple[tuple[str, str, str], ...] = (
    ("plugins converted without abort", "converted", "plugins"),
    ("agents loading", "agents loaded", "agents"),
    ("of them not widened, no Claude model left", "agents narrow", "agents loaded"),
    ("agents not written, and reported", "agents reported", "agents left out"),
    ("skills loading (as skills or as commands)", "skills loaded", "skills"),
    ("commands loading", "commands loaded", "commands"),
    ("texts with no Claude placeholder left", "texts clean", "texts"),
    ("hooks registered and firing", "hooks firing", "hooks convertible"),
    ("other hooks reported with a reason", "hooks reported", "hooks other"),
    ("live guards that deny", "guards denying", "guards"),
    ("servers complete and clean", "servers clean", "servers"),
    ("settings complete", "settings complete", "settings"),
    ("fields in the output or in the report", "fields found", "fields"),
    ("installations, the second one changing nothing", "installed", "installations"),
    ("installations taken back byte for byte", "uninstalled", "installations taken back"),
    ("commands that reach Codex", "codex commands", "codex expected"),
)
ZEROS = ("load errors", "widened agents", "revived hooks", "second run changes", "faults of reading")


@dataclass
class Judgement:
    name: str
    figures: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def count(self, figure: str, of: str, *, good: bool, fault: str = "") -> None:
        """One more of something; good or with a fault."""
        self.figures[of] += 1
        self.figures[figure] += good
        if not good and fault:
            self.faults.append(f"{figure}: {fault}")

    def never(self, figure: str, faults: Iterable[str]) -> None:
        """What must not be there at all."""
        for each in faults:
            self.figures[figure] += 1
            self.faults.append(f"{figure}: {each}")

    @property
    def line(self) -> str:
        """One line for the plugin: every row that it has something of."""
        rows = [(good, of) for _label, good, of in ROWS if self.figures[of]]
        parts = [f"{of} {self.figures[good]}/{self.figures[of]}" for good, of in rows]
        parts += [f"{self.figures[each]} {each}" for each in ZEROS if self.figures[each]]
        return f"{'ok  ' if not self.faults else 'BAD '} {self.name}: {', '.join(parts)}"


def table(judged: list[Judgement]) -> str:
    total: Counter[str] = Counter()
    for each in judged:
        total.update(each.figures)
    lines = [f"| {label} | {total[good]}/{total[of]} |" for label, good, of in ROWS]
    lines += [f"| {label} | {total[label]} |" for label in ZEROS]
    return "\n".join(["| measure | plugins |", "|---|---|", *lines])
