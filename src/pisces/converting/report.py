"""What became of a package, as data for every kind of report: counts, losses, and when they are too many."""

from __future__ import annotations

import os

from pisces.converting.fate import APPROXIMATED, DROPPED, KINDS, WIDENED
from pisces.diagnostics import ERROR, SEVERITIES
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.convert import Converted
    from pisces.converting.fate import Fate
    from pisces.converting.output import PlannedFile
    from pisces.diagnostics import Diagnostic

VERSION = 1
_BY_KIND = {WIDENED: (WIDENED,), DROPPED: (WIDENED, DROPPED), APPROXIMATED: (WIDENED, DROPPED, APPROXIMATED)}
LIMITS = (ERROR, WIDENED, DROPPED, APPROXIMATED, *SEVERITIES[1:])


class ConversionReport(Value):
    """One package for one target. `out` is empty where nothing is written to a folder of its own.

    `problems` are those of writing or installing it.
    """

    converted: Converted
    out: str = ""
    plan: tuple[PlannedFile, ...] = ()
    problems: tuple[Diagnostic, ...] = ()

    @property
    def losses(self) -> list[Fate]:
        """Everything that is not wholly mapped, the worst first."""
        found = [each for each in self.converted.fates if each.is_loss]
        return sorted(found, key=lambda each: (SEVERITIES.index(each.severity), each.path, each.line, each.field))

    @property
    def counts(self) -> dict[str, int]:
        kinds = [each.kind for each in self.converted.fates]
        return {kind: kinds.count(kind) for kind in KINDS}

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Losses and problems in one form, with whole paths."""
        folder = self.converted.folder
        losses = [each.diagnostic() for each in self.losses]
        placed = [each.replace(path=os.path.join(folder, each.path) if each.path else folder) for each in losses]
        return [*placed, *self.converted.diagnostics, *self.problems]

    def fails(self, limit: str) -> bool:
        """Whether there is a loss at the limit or worse: a kind of loss, or a severity. An error always is."""
        kinds = _BY_KIND.get(limit, ())
        fatal = SEVERITIES[: SEVERITIES.index(limit if limit in SEVERITIES else ERROR) + 1]
        by_kind = any(each.kind in kinds for each in self.converted.fates)
        return by_kind or any(each.severity in fatal for each in self.diagnostics)

    def as_json(self) -> dict[str, Any]:
        made = self.converted
        severities = [each.severity for each in self.diagnostics]
        return {
            "target": made.target,
            "out": self.out or None,
            "counts": self.counts,
            "severities": {each: severities.count(each) for each in SEVERITIES},
            "files": [
                {
                    "path": each.path,
                    "state": each.state,
                    "sha256": each.digest or None,
                    "executable": each.is_executable,
                }
                for each in self.plan
            ],
            "fates": [each.as_json() for each in made.fates],
            "diagnostics": [each.as_json() for each in (*made.diagnostics, *self.problems)],
        }


def reports_json(reports: list[ConversionReport]) -> dict[str, Any]:
    """The object of `--output-format json`; its keys stay as they are while `version` does."""
    made = reports[0].converted
    plugin = {key: getattr(made.plugin, key) for key in ("name", "version", "harness", "format")}
    return {
        "version": VERSION,
        "source": made.folder,
        "plugin": plugin,
        "conversions": [each.as_json() for each in reports],
    }
