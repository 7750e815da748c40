"""What trust in a workspace would cover: everything that the project brings and that runs by itself.

Hooks of the user and of packages that run files of the project are among it.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR
from pisces.discovery.harness import Run, all_harnesses
from pisces.formats.masking import masked
from pisces.gates.workspace import borrowed_by_line, covered_here
from pisces.modules.entries import module_entries
from pisces.scanning.acting import what_acts
from pisces.shapes.act import HOOK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.gates.workspace import Covered
    from pisces.places import Places
    from pisces.shapes.act import Act


def coverable(places: Places) -> tuple[tuple[Covered, ...], list[Diagnostic]]:
    """And what is dangerous about it."""
    every = what_acts(all_harnesses(), places, Run())
    acting = [each for each in every if not each.yours or _borrows(each.act, places)]
    covered = covered_here(module_entries(places), [each.act for each in acting], places)
    problems = [problem for each in acting for problem in each.problems if problem.severity == ERROR]
    return covered, [each.replace(message=masked(each.message)) for each in dict.fromkeys(problems)]


def _borrows(act: Act, places: Places) -> bool:
    return act.kind == HOOK and bool(borrowed_by_line(act.text, act.path, os.path.dirname(act.path), places))
